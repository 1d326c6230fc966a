// Reports in a shared folder: one for each cause, the smallest that anybody has found.

package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/octable/octable/conformance/inputs"
)

// Keep writes a report about an input into a folder, as NAME.json, and the input beside it, as NAME.bin. It
// writes nothing if a smaller input with the same id is there. The larger ones are removed. Size and hash of
// the input are in NAME, so the smallest is the same for all processes, and is removed by none.
func Keep(dir, id string, size int, input, report []byte) error {
	prefix := strings.ReplaceAll(id, "/", "__") + "@"
	base := fmt.Sprintf("%s%08d-%.8s", prefix, size, inputs.FileName(append([]byte(fmt.Sprintf("%d ", size)), input...)))
	if all, err := reports(dir, prefix); err != nil || len(all) > 0 && all[0] < base {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := WriteFile(filepath.Join(dir, base+".bin"), input); err != nil {
		return err
	}
	if err := WriteFile(filepath.Join(dir, base+".json"), report); err != nil {
		return err
	}
	all, err := reports(dir, prefix)
	if err != nil || len(all) == 0 {
		return err
	}
	for _, larger := range all[1:] {
		for _, ext := range []string{".json", ".bin"} {
			if err := os.Remove(filepath.Join(dir, larger+ext)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// reports returns the names of reports without .json, in their order. There need be no such folder.
func reports(dir, prefix string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok && !e.IsDir() && strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, err
}

// Reports calls f with the path and text of each report in a folder. There need be no such folder.
func Reports(dir string, f func(path string, text []byte) error) error {
	names, err := reports(dir, "")
	if err != nil {
		return err
	}
	for _, name := range names {
		path := filepath.Join(dir, name+".json")
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // somebody found a smaller input
		}
		if err == nil {
			err = f(path, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
