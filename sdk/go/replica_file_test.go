package authservice

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAFileThatCannotBeReplacedLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "replica")
	// A folder with content cannot be replaced by a file.
	if err := os.MkdirAll(filepath.Join(path, "content"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(path, []byte("content")); err == nil {
		t.Error("a folder was replaced")
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v (%v)", entries, err)
	}
}
