// Containers around saved data.

package main

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/godot/container"
)

// secret says where the key of encrypted files is.
type secret struct{ pass, key string }

func (s *secret) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.pass, "pass", "", "the password of encrypted files is in `PLACE`: env:NAME or file:PATH")
	cmd.Flags().StringVar(&s.key, "key", "", "the key of encrypted files is in `PLACE`: env:NAME or file:PATH, as 64 hexadecimal digits or 32 bytes")
}

// bytes returns the key, nil without -pass and -key.
func (s *secret) bytes() ([]byte, error) {
	switch {
	case s.pass != "" && s.key != "":
		return nil, fail(exitUsage, "give one of -pass and -key")
	case s.pass != "":
		text, err := fromPlace("pass", s.pass)
		return container.Password(strings.TrimRight(text, "\r\n")), err
	case s.key != "":
		text, err := fromPlace("key", s.key)
		if err != nil || len(text) == 32 {
			return []byte(text), err
		}
		key, err := hex.DecodeString(strings.TrimSpace(text))
		if err != nil || len(key) != 32 {
			return nil, fail(exitUsage, "-key %s: a key is 64 hexadecimal digits or 32 bytes", s.key)
		}
		return key, nil
	}
	return nil, nil
}

// fromPlace returns the text at a place that is not visible to other users of the system.
func fromPlace(flag, place string) (string, error) {
	if name, ok := strings.CutPrefix(place, "env:"); ok {
		text, found := os.LookupEnv(name)
		if !found || text == "" {
			return "", fail(exitUsage, "-%s env:%s: the environment has no variable %s, or it is empty", flag, name, name)
		}
		return text, nil
	}
	if name, ok := strings.CutPrefix(place, "file:"); ok {
		b, err := os.ReadFile(name)
		return string(b), err
	}
	return "", fail(exitUsage, "-%s takes env:NAME or file:PATH; other users can see what is on a command line", flag)
}

// maxLayers is the most containers around data.
const maxLayers = 4

// open takes the containers off an input. It reports false after a message if that fails.
func (s *secret) open(e *env, p packet) (packet, []container.Layer, bool, error) {
	var layers []container.Layer
	for container.Is(p.bytes) && len(layers) < maxLayers {
		key, err := s.bytes()
		if err != nil {
			return p, nil, false, err
		}
		data, l, err := container.Open(p.bytes, key)
		if err != nil {
			hint := ""
			if errors.Is(err, container.ErrKey) && key == nil {
				hint = ": -pass or -key"
			}
			_ = e.stdout.Flush() // messages about output come after it
			fmt.Fprintf(e.stderr, "octable: %s%s%s\n", p.where(), strings.TrimPrefix(err.Error(), "container: "), hint)
			return p, nil, false, nil
		}
		layers = append(layers, l)
		p.bytes, p.layer = data, l.Format
	}
	return p, layers, true, nil
}

// close puts containers back around data.
func (s *secret) close(data []byte, layers []container.Layer) ([]byte, error) {
	key, err := s.bytes()
	for i := len(layers) - 1; i >= 0 && err == nil; i-- {
		data, err = layers[i].Seal(data, key)
	}
	return data, err
}

// layout returns the form of encrypted files of the engine that the schema is of.
func (t *target) layout() container.Layout {
	if t.codec.TypeName(godot.PackedByteArray) == "PackedByteArray" {
		return 4
	}
	return 3
}

// format is a kind of file that begins with a magic, or that has a special container.
type format struct {
	magic, name string
	layer       container.Format // the container, if the content has no magic
	specs       []string         // the schemas that read it
	remedy      string           // if no schema reads it
}

var formats = []format{
	{magic: "ECFG", name: "project.binary of Godot", specs: []string{"ecfg", "ecfg-3"}},
	{magic: "GDPC", name: "PCK of Godot", specs: []string{"pck"}},
	{magic: "RSRC", name: "binary resource of Godot", specs: []string{"rsrc"}},
	{layer: container.Resource, name: "compressed resource of Godot", specs: []string{"rscc"}},
	{magic: "[gd_resource", name: "text resource of Godot", remedy: "it is text; load it in the engine, or save it there as .res, which gives RSRC"},
	{magic: "[gd_scene", name: "text scene of Godot", remedy: "it is text; load it in the engine, or save it there as .scn, which gives RSRC"},
	{magic: "GST2", name: "texture of Godot", remedy: "the engine exports it as PNG: load it and call get_image().save_png"},
}

// formatOf returns the format of an input, nil if it begins with another magic.
func formatOf(p packet) *format {
	b := p.bytes
	for i := range formats {
		f := &formats[i]
		if f.layer != 0 && f.layer == p.layer || f.layer == 0 && strings.HasPrefix(string(b[:min(len(b), 16)]), f.magic) {
			return f
		}
	}
	if n := len(b); n > 12 && string(b[n-4:]) == "GDPC" {
		size := binary.LittleEndian.Uint64(b[n-12:])
		if size < uint64(n-12) {
			at := n - 12 - int(size)
			return &format{name: "program with a PCK inside", remedy: fmt.Sprintf("cut the PCK out: tail -c +%d FILE | head -c %d >game.pck", at+1, size)}
		}
	}
	return nil
}

// compression returns the container for compressed packets of the schema.
func (t *target) compression() container.Format {
	for _, f := range formats {
		if f.layer != 0 && slices.Contains(f.specs, t.name) {
			return f.layer
		}
	}
	return container.Compressed
}
