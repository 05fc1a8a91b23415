package authservice

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// ErrFileNotUsable means that the file of a replica is damaged, or belongs to another key, application or service. The replica then
// reads the snapshot.
var ErrFileNotUsable = errors.New("authservice: the file is damaged, or belongs to another key, application or service")

const macBytes = sha256.Size

// storedReplica is what a replica stores for its next start.
type storedReplica struct {
	state   *replicaState
	knownAt knownAt
	// isRefused says whether the service has rejected the key since.
	isRefused bool
}

// fileHead is the first line of a file; each further one has a user.
type fileHead struct {
	AppID     string
	Rollout   rollout
	Cursor    string
	At        int64
	Ahead     time.Duration
	IsRefused bool
}

type fileUser struct {
	ID    string     `json:"u"`
	Facts []fileFact `json:"f"`
}

type fileFact struct {
	Part string    `json:"p"`
	ID   string    `json:"i,omitempty"`
	Kind valueKind `json:"k"`
	End  millis    `json:"e,omitempty"`
	Text string    `json:"t,omitempty"`
}

// encodeReplica writes JSON Lines and a MAC. It reads no map of the state, which may change meanwhile.
func encodeReplica(stored storedReplica, users []userFacts, key Key, origin string) ([]byte, error) {
	var file bytes.Buffer
	encoder := json.NewEncoder(&file)
	head := fileHead{
		AppID:     stored.state.appID,
		Rollout:   stored.state.rollout,
		Cursor:    stored.state.cursor,
		At:        stored.knownAt.at.UnixMilli(),
		Ahead:     stored.knownAt.ahead,
		IsRefused: stored.isRefused,
	}
	if err := encoder.Encode(head); err != nil {
		return nil, err
	}
	for _, user := range users {
		line := fileUser{ID: user.userID}
		for _, each := range user.facts {
			line.Facts = append(line.Facts, fileFact{each.part, each.id, each.value.kind, each.value.end, each.value.text})
		}
		if err := encoder.Encode(line); err != nil {
			return nil, err
		}
	}
	return append(file.Bytes(), macOf(file.Bytes(), key, origin)...), nil
}

// userFacts are those of one user.
type userFacts struct {
	userID string
	facts  facts
}

// list copies the map of the users; the facts themselves never change.
func (s *replicaState) list() []userFacts {
	users := make([]userFacts, 0, len(s.users))
	for userID, found := range s.users {
		users = append(users, userFacts{userID, found})
	}
	return users
}

// decodeReplica returns [ErrFileNotUsable] for a file that encodeReplica has not written with this key and address.
func decodeReplica(file []byte, key Key, origin string) (*storedReplica, error) {
	if len(file) < macBytes {
		return nil, ErrFileNotUsable
	}
	content, mac := file[:len(file)-macBytes], file[len(file)-macBytes:]
	if !hmac.Equal(mac, macOf(content, key, origin)) {
		return nil, ErrFileNotUsable
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	var head fileHead
	if err := decoder.Decode(&head); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrFileNotUsable, err)
	}
	state := newReplicaState(head.AppID)
	state.rollout, state.cursor = head.Rollout, head.Cursor
	for decoder.More() {
		var user fileUser
		if err := decoder.Decode(&user); err != nil {
			return nil, fmt.Errorf("%w: %v", ErrFileNotUsable, err)
		}
		found := make(facts, len(user.Facts))
		for i, each := range user.Facts {
			found[i] = known{each.Part, each.ID, value{each.Kind, each.End, each.Text}}
		}
		state.users[user.ID] = found
	}
	return &storedReplica{state, knownAt{time.UnixMilli(head.At), head.Ahead}, head.IsRefused}, nil
}

// macOf uses a separate key, derived from the secret and a text that no signature covers.
func macOf(content []byte, key Key, origin string) []byte {
	derive := hmac.New(sha256.New, []byte(key.Secret))
	fmt.Fprintf(derive, "auth-service replica file for Go 1\n%s\n%s", origin, key.AppID())
	mac := hmac.New(sha256.New, derive.Sum(nil))
	mac.Write(content)
	return mac.Sum(nil)
}

// fileStore reads and replaces the file of a replica.
type fileStore struct {
	// read returns nil if there is no file.
	read  func(path string) ([]byte, error)
	write func(path string, content []byte) error
}

var fileSystem = fileStore{read: readFile, write: replaceFile}

func readFile(path string) ([]byte, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return content, err
}

// replaceFile replaces the file atomically, or fails and leaves it unchanged. Only its owner can read it.
func replaceFile(path string, content []byte) (err error) {
	// A temporary file has the mode 0600.
	temporary, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temporary.Name())
		}
	}()
	_, err = temporary.Write(content)
	if err == nil {
		// Otherwise a power failure could leave an empty file under the new name.
		err = temporary.Sync()
	}
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}
