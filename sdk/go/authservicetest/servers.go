package authservicetest

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"auth-service/authservice"
)

//go:embed fake_server.mjs
var program string

// servers is the process that serves all test doubles. It ends with this one, which closes its standard input.
type servers struct {
	mu     sync.Mutex
	input  io.Writer
	output *bufio.Reader
	// err is why there is no process.
	err error
}

var (
	process  servers
	starting sync.Once
)

func startServers() {
	process.err = process.start()
}

func (s *servers) start() error {
	folder, err := findPackage()
	if err != nil {
		return err
	}
	node := os.Getenv("AUTH_SERVICE_NODE")
	if node == "" {
		node = "node"
	}
	// The program reads its commands from standard input, so that it is passed as an argument.
	command := exec.Command(node, "--input-type=module", "--eval", program, "fake_server.mjs", filepath.Join(folder, "dist", "testing.js"))
	command.Stderr = os.Stderr
	if s.input, err = command.StdinPipe(); err != nil {
		return err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	s.output = bufio.NewReader(output)
	return command.Start()
}

// findPackage returns the folder of the TypeScript package: named by the environment, or installed in this folder or one above.
func findPackage() (string, error) {
	if named := os.Getenv("AUTH_SERVICE_CLIENT"); named != "" {
		return named, nil
	}
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		found := filepath.Join(folder, "node_modules", "@auth-service", "client")
		if _, err := os.Stat(found); err == nil {
			return found, nil
		}
		above := filepath.Dir(folder)
		if above == folder {
			return "", errors.New("the package @auth-service/client is not installed: see the package authservicetest")
		}
		folder = above
	}
}

// ask runs one command, and returns an error with the code of the service for what it would refuse.
func (s *servers) ask(result any, call string, service int, args ...any) error {
	starting.Do(startServers)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	if args == nil {
		args = []any{}
	}
	command, err := json.Marshal(map[string]any{"call": call, "id": service, "args": args})
	if err != nil {
		return err
	}
	if _, err := s.input.Write(append(command, '\n')); err != nil {
		return err
	}
	line, err := s.output.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("the process of the test double has ended: %w", err)
	}
	reply := struct {
		Result any
		Error  *struct{ Code, Detail string }
	}{Result: result}
	if err := json.Unmarshal(line, &reply); err != nil {
		return err
	}
	if reply.Error != nil {
		return &authservice.Error{Code: reply.Error.Code, Detail: reply.Error.Detail}
	}
	return nil
}
