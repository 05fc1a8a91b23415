// Signs a request and sends it: KEY_ID=... SECRET=... go run sign.go send.go METHOD URL [BODY]
package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	body := []byte(append(os.Args, "")[3])
	req, err := http.NewRequest(os.Args[1], os.Args[2], bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	random := make([]byte, 16)
	rand.Read(random)
	created, nonce := fmt.Sprint(time.Now().Unix()), fmt.Sprintf("%x", random)
	if fixed := os.Getenv("SIGN_NONCE"); fixed != "" {
		created, nonce = os.Getenv("SIGN_CREATED"), fixed
	}
	req.Header.Set("Content-Type", "application/json")
	base := sign(req, body, os.Getenv("KEY_ID"), os.Getenv("SECRET"), created, nonce)
	if os.Getenv("SIGN_ONLY") != "" {
		fmt.Printf("%s\n\n%s\n", base, req.Header.Get("Signature"))
		return
	}
	res, err := (&http.Client{Timeout: 10 * time.Second}).Do(req)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(os.Stdout, res.Body); err != nil || res.StatusCode >= 400 {
		log.Fatal(res.Status)
	}
}
