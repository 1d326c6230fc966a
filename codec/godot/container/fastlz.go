package container

import "errors"

// The limits of FastLZ, level 1.
const (
	maxRun      = 32   // bytes of a literal run
	minMatch    = 3    // bytes of a match
	maxMatch    = 264  // bytes of a match
	maxDistance = 8192 // from a match to its source
	farDistance = 8191 // level 2: the distance from which two more bytes follow
)

var (
	errCutOff = errors.New("it is cut off")
	errRoom   = errors.New("it holds more bytes than a block has")
)

// unpackFastLZ returns the data of a block of FastLZ, at most room bytes. A block is a list of literal
// runs and matches; the first byte also has the level.
func unpackFastLZ(b []byte, room int) ([]byte, error) {
	if len(b) == 0 {
		return nil, errCutOff
	}
	level := b[0]>>5 + 1
	if level > 2 {
		return nil, errors.New("its level is neither 1 nor 2")
	}
	var out []byte
	least := 2 // a single byte at the end of level 1 is ignored
	if level == 2 {
		least = 1
	}
	for at := 0; len(b)-at >= least; {
		c := int(b[at])
		at++
		if at == 1 {
			c &= 31
		}
		if c < 32 {
			n := c + 1
			if n > len(b)-at {
				return nil, errCutOff
			}
			if n > room-len(out) {
				return nil, errRoom
			}
			out = append(out, b[at:at+n]...)
			at += n
			continue
		}
		next := func() int {
			if at >= len(b) {
				at = len(b) + 1
				return 0
			}
			at++
			return int(b[at-1])
		}
		length, distance := c>>5+2, c&31<<8
		if c>>5 == 7 {
			more := next()
			length += more
			for level == 2 && more == 255 {
				more = next()
				length += more
			}
		}
		low := next()
		distance += low + 1
		if level == 2 && distance == farDistance+1 {
			distance = next()<<8 + farDistance + 1
			distance += next()
			if at == len(b) {
				return nil, errors.New("it ends with a far match, which engines refuse")
			}
		}
		switch {
		case at > len(b):
			return nil, errCutOff
		case distance > len(out):
			return nil, errors.New("a match begins before the data")
		case length > room-len(out):
			return nil, errRoom
		}
		for range length {
			out = append(out, out[len(out)-distance])
		}
	}
	return out, nil
}

// packFastLZ returns a block of FastLZ, level 1, which matches greedily.
func packFastLZ(b []byte) []byte {
	var out []byte
	var places [1 << 13]int // of three bytes by their hash, plus 1
	literal := 0
	flush := func(to int) {
		for literal < to {
			n := min(to-literal, maxRun)
			out = append(append(out, byte(n-1)), b[literal:literal+n]...)
			literal += n
		}
	}
	for at := 0; at < len(b); {
		length, from := 0, 0
		if at+minMatch <= len(b) {
			hash := (uint32(b[at]) | uint32(b[at+1])<<8 | uint32(b[at+2])<<16) * 2654435761 >> 19
			from = places[hash] - 1
			places[hash] = at + 1
			if from >= 0 && at-from <= maxDistance {
				for length < maxMatch && at+length < len(b) && b[from+length] == b[at+length] {
					length++
				}
			}
		}
		if length < minMatch {
			at++
			continue
		}
		flush(at)
		d := at - from - 1
		if code := length - 2; code < 7 {
			out = append(out, byte(code<<5|d>>8), byte(d))
		} else {
			out = append(out, byte(7<<5|d>>8), byte(code-7), byte(d))
		}
		at += length
		literal = at
	}
	flush(len(b))
	return out
}
