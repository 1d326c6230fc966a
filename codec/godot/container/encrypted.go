package container

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// Layout is the form of an encrypted container: 3 is that of Godot 3, 4 that of Godot 4.
type Layout uint8

const mode3 = 1 // in the layout of Godot 3

// Password returns the key of a password: the MD5 of its bytes in hexadecimal digits.
func Password(s string) []byte {
	sum := md5.Sum([]byte(s))
	return []byte(hex.EncodeToString(sum[:]))
}

// header is where the parts of an encrypted container are.
type header struct {
	layout    Layout
	md5, size int // offsets of the MD5 and of the size of the data
	text      int // offset of the encrypted text
}

var headers = []header{{4, 4, 20, 44}, {3, 8, 24, 32}}

// padded is the size of data in whole blocks.
func padded(n uint64) uint64 { return (n + aes.BlockSize - 1) / aes.BlockSize * aes.BlockSize }

// decrypt reads an encrypted container. The layouts have the same magic; the one is taken whose
// lengths fit and whose MD5 is that of the data.
func decrypt(b, key []byte) ([]byte, Layer, error) {
	fits := false
	for _, h := range headers {
		if len(b) < h.text || h.layout == 3 && binary.LittleEndian.Uint32(b[4:]) != mode3 {
			continue
		}
		size := binary.LittleEndian.Uint64(b[h.size:])
		if size > MaxData || padded(size) > uint64(len(b)-h.text) {
			continue
		}
		fits = true
		if len(key) == 0 && size > 0 {
			continue
		}
		l := Layer{Format: Encrypted, Layout: h.layout}
		text := append([]byte(nil), b[h.text:h.text+int(padded(size))]...)
		if size > 0 {
			block, err := cipherOf(key)
			if err != nil {
				return nil, l, err
			}
			if h.layout == 4 {
				feedback(block, b[28:44], text, false)
			} else {
				for at := 0; at < len(text); at += aes.BlockSize {
					block.Decrypt(text[at:], text[at:])
				}
			}
		}
		if sum := md5.Sum(text[:size]); subtle.ConstantTimeCompare(sum[:], b[h.md5:h.md5+16]) == 1 {
			return text[:size], l, nil
		}
	}
	switch l := (Layer{Format: Encrypted}); {
	case !fits:
		return nil, l, corrupt("the file is shorter than its header says")
	case len(key) == 0:
		return nil, l, fmt.Errorf("%w: the file is encrypted; give its key or password", ErrKey)
	default:
		return nil, l, fmt.Errorf("%w: the key or password is wrong, or the file is damaged", ErrKey)
	}
}

func cipherOf(key []byte) (cipher.Block, error) {
	if len(key) != 32 {
		return nil, fmt.Errorf("%w: a key has 32 bytes, not %d", ErrKey, len(key))
	}
	return aes.NewCipher(key)
}

// feedback encrypts or decrypts whole blocks of text in place: CFB with segments of 128 bits.
func feedback(block cipher.Block, iv, text []byte, encrypt bool) {
	var state, stream [aes.BlockSize]byte
	copy(state[:], iv)
	for at := 0; at < len(text); at += aes.BlockSize {
		part := text[at : at+aes.BlockSize]
		block.Encrypt(stream[:], state[:])
		if !encrypt {
			copy(state[:], part)
		}
		subtle.XORBytes(part, part, stream[:])
		if encrypt {
			copy(state[:], part)
		}
	}
}

// encrypt writes an encrypted container, with a random initialisation vector in Godot 4.
func encrypt(data, key []byte, layout Layout) ([]byte, error) {
	block, err := cipherOf(key)
	if err != nil {
		return nil, err
	}
	if layout != 3 && layout != 4 {
		return nil, fmt.Errorf("container: there is no layout %d", layout)
	}
	sum := md5.Sum(data)
	text := make([]byte, padded(uint64(len(data))))
	copy(text, data)
	out := []byte(magics[Encrypted])
	if layout == 3 {
		out = binary.LittleEndian.AppendUint32(out, mode3)
	}
	out = binary.LittleEndian.AppendUint64(append(out, sum[:]...), uint64(len(data)))
	if layout == 4 {
		var iv [aes.BlockSize]byte
		_, _ = rand.Read(iv[:]) // never returns an error
		out = append(out, iv[:]...)
		feedback(block, iv[:], text, true)
	} else {
		for at := 0; at < len(text); at += aes.BlockSize {
			block.Encrypt(text[at:], text[at:])
		}
	}
	return append(out, text...), nil
}
