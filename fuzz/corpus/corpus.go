// Package corpus shares packets between the processes that fuzz a schema, by a folder and without a
// server. Any folder that they all see will do: of one machine, of a network file system, of a mounted bucket.
//
//	DIR/SPEC/PROGRAM/SHA1  a packet; PROGRAM is the start of the hash of the compiled schema
//	DIR/SPEC/PROGRAM/.*    a file that is being written
//
// # No packet is half written
//
// A file is written under a hidden name, synced and renamed. Its name is the hash of its bytes, and a
// reader ignores a file whose bytes have another hash, as a copy that is not complete. A process that is
// killed leaves at most a hidden file, which [Folder.Minimise] removes after an hour.
//
// # No packet is lost
//
// Packets are ordered by length, then by bytes. A packet is removed only if each point of the program
// that it reaches is reached by a packet before it that was read from the folder. So the first packet
// that reaches a point is removed by nobody, however many processes minimise the folder at once and
// whichever of its files each of them sees. Every point that a packet in the folder ever reached stays
// reached, without a lock.
//
// Points differ between programs, so each program has its own folder. Packets of others are seeds.
package corpus

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/interp"
)

// These are the limits. maxPacket is the largest packet that is read, interval the time between two looks into the
// folder, and abandoned the age of an abandoned file. An abandoned file is hidden or damaged and has no writer.
const (
	maxPacket = 1 << 20
	interval  = 2 * time.Second
	abandoned = time.Hour
)

// Folder is the part of a shared folder for one program. It is for one goroutine at a time; goroutines
// that share packets open a Folder each, as processes do. It implements [inputs.Exchange].
type Folder struct {
	dir     string
	reach   *inputs.Reach
	known   map[string]bool // names of packets that are in the folder or were
	waiting [][]byte        // packets that could not be written yet
	looked  time.Time
	begun   bool
	err     error // of the last look into the folder
}

// Open returns the folder of a schema below dir, which is made if it does not exist.
func Open(dir, spec string, m *interp.Machine) (*Folder, error) {
	f := &Folder{dir: filepath.Join(dir, spec, m.Program().Hash()[:12]), reach: inputs.NewReach(m, true), known: map[string]bool{}}
	return f, os.MkdirAll(f.dir, 0o777)
}

// Dir returns the path of the folder with the packets.
func (f *Folder) Dir() string { return f.dir }

// Give writes a packet if it reaches anything that no known packet does. A packet that cannot be
// written waits for the next look into the folder.
func (f *Folder) Give(packet []byte) {
	if len(packet) > maxPacket || f.known[inputs.FileName(packet)] || !f.reach.Add(packet) {
		return
	}
	f.waiting = append(f.waiting, packet)
	if len(f.waiting) == 1 { // else the folder could not be written before
		_ = f.flush() // it waits
	}
}

// flush writes the packets that wait.
func (f *Folder) flush() error {
	for len(f.waiting) > 0 {
		name := inputs.FileName(f.waiting[0])
		if !f.known[name] {
			if err := WriteFile(filepath.Join(f.dir, name), f.waiting[0]); err != nil {
				return err
			}
			f.known[name] = true
		}
		f.waiting = f.waiting[1:]
	}
	return nil
}

// Take returns the packets that others have written since the last call. A call shortly after another
// one returns nothing. The first call returns the packets of other programs, too.
func (f *Folder) Take() [][]byte {
	if time.Since(f.looked) < interval {
		return nil
	}
	_ = f.flush() // what fails waits
	var all, fresh [][]byte
	all, _, f.err = packets(f.dir)
	if !f.begun {
		fresh = f.siblings()
	}
	f.begun = true
	for _, b := range all {
		if name := inputs.FileName(b); !f.known[name] {
			f.known[name] = true
			f.reach.Add(b)
			fresh = append(fresh, b)
		}
	}
	f.looked = time.Now()
	return fresh
}

// siblings returns the packets of other programs of the schema.
func (f *Folder) siblings() (all [][]byte) {
	entries, err := os.ReadDir(filepath.Dir(f.dir))
	for _, e := range entries {
		if dir := filepath.Join(filepath.Dir(f.dir), e.Name()); e.IsDir() && dir != f.dir {
			packets, _, err2 := packets(dir)
			all, err = append(all, packets...), errors.Join(err, err2)
		}
	}
	f.err = errors.Join(f.err, err)
	return all
}

// packets returns the packets in a folder, and the names of the other files in it.
func packets(dir string) (all [][]byte, others []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		name := filepath.Join(dir, e.Name())
		b, err2 := readFile(name)
		switch {
		case errors.Is(err2, fs.ErrNotExist): // somebody minimised the folder
		case err2 != nil:
			err = errors.Join(err, err2)
		case b == nil || inputs.FileName(b) != e.Name():
			others = append(others, name)
		default:
			all = append(all, b)
		}
	}
	return all, others, err
}

// readFile returns the bytes of a file, or nil if it is too large for a packet.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxPacket+1))
	if err != nil || len(b) > maxPacket {
		return nil, err
	}
	return b, nil
}

// Import gives the folder the packets of another folder and of those in it. It reads any files but
// hidden ones and those named *.json, as fuzzers keep them. It returns how many files it read.
func (f *Folder) Import(dir string) (n int, err error) {
	var all [][]byte
	err = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || e.Name()[0] == '.' || filepath.Ext(name) == ".json" {
			return err
		}
		b, err := readFile(name)
		if b != nil {
			n++
			all = append(all, b)
		}
		return err
	})
	inputs.Sort(all)
	for _, b := range all {
		f.Give(b)
	}
	return n, err
}

// Minimise removes packets that reach nothing that those before them do not, and files that were
// abandoned. It returns the packets that stay and the number of packets that were removed.
func (f *Folder) Minimise() (stay [][]byte, removed int, err error) {
	if err := f.flush(); err != nil {
		return nil, 0, err
	}
	all, others, err := packets(f.dir)
	if err != nil {
		return nil, 0, err
	}
	inputs.Sort(all)
	f.reach.Reset()
	for _, b := range all {
		f.known[inputs.FileName(b)] = true
		if f.reach.Add(b) {
			stay = append(stay, b)
			continue
		}
		if err := os.Remove(filepath.Join(f.dir, inputs.FileName(b))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return stay, removed, err
		}
		removed++
	}
	for _, name := range others {
		info, err := os.Stat(name)
		if err == nil && time.Since(info.ModTime()) > abandoned {
			err = os.Remove(name)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return stay, removed, err
		}
	}
	return stay, removed, nil
}

// Close writes the packets that wait, and returns why the folder could not be read or written at last.
func (f *Folder) Close() error {
	if err := f.flush(); err != nil {
		return err
	}
	return f.err
}

// WriteFile writes a file under a hidden name beside its own, and renames it. So no reader sees a part of it.
func WriteFile(name string, b []byte) error {
	// Not os.CreateTemp, whose files other users cannot read.
	f, err := os.OpenFile(filepath.Join(filepath.Dir(name), fmt.Sprintf(".new-%016x", rand.Uint64())), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if _, err = f.Write(b); err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error is the one to report
	}
	return err
}
