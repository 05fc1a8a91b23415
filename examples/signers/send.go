// Signs a request and sends it: KEY_ID=... SECRET=... go run sign.go send.go METHOD URL [BODY]
package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	body := append(os.Args, "")[3]
	req, err := http.NewRequest(os.Args[1], os.Args[2], strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if ifMatch := os.Getenv("IF_MATCH"); ifMatch != "" {
		req.Header.Set("If-Match", ifMatch)
	}
	random, _ := io.ReadAll(io.LimitReader(rand.Reader, 16))
	created := strings.Fields(os.Getenv("SIGN_CREATED") + fmt.Sprint(" ", time.Now().Unix()))[0]
	nonce := strings.Fields(os.Getenv("SIGN_NONCE") + fmt.Sprintf(" %x", random))[0]
	base := sign(req, []byte(body), os.Getenv("KEY_ID"), os.Getenv("SECRET"), created, nonce)
	if os.Getenv("SIGN_ONLY") != "" {
		fmt.Printf("%s\n\n%s\n", base, req.Header.Get("Signature"))
		return
	}
	asReceived := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	res, err := (&http.Client{Timeout: 10 * time.Second, CheckRedirect: asReceived}).Do(req)
	if err != nil {
		log.Fatal(err)
	}
	if res.Header.Get("Request-Nonce") != nonce {
		log.Fatal(res.Status, ", not the service's answer to this request")
	}
	if _, err := io.Copy(os.Stdout, res.Body); err != nil || res.StatusCode/100 != 2 {
		log.Fatal(res.Status)
	}
}
