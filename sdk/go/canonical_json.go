package authservice

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"
)

// parseJSON reads one JSON value, and keeps numbers as they are written.
func parseJSON(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var parsed any
	if err := decoder.Decode(&parsed); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return parsed, nil
}

// canonicalJSON writes a value of parseJSON by the JSON Canonicalization Scheme (RFC 8785), so that the text does not depend on the
// order of members.
func canonicalJSON(parsed any) ([]byte, error) {
	var text bytes.Buffer
	err := writeCanonical(&text, parsed)
	return text.Bytes(), err
}

func writeCanonical(text *bytes.Buffer, parsed any) error {
	switch parsed := parsed.(type) {
	case nil:
		text.WriteString("null")
	case bool:
		text.WriteString(strconv.FormatBool(parsed))
	case string:
		writeString(text, parsed)
	case json.Number:
		number, err := strconv.ParseFloat(string(parsed), 64)
		if err != nil {
			return err
		}
		text.WriteString(canonicalNumber(number))
	case []any:
		return writeEach(text, '[', ']', len(parsed), func(i int) error { return writeCanonical(text, parsed[i]) })
	case map[string]any:
		names := make([]string, 0, len(parsed))
		for name := range parsed {
			names = append(names, name)
		}
		sort.Slice(names, func(i, j int) bool { return isBefore(names[i], names[j]) })
		return writeEach(text, '{', '}', len(names), func(i int) error {
			writeString(text, names[i])
			text.WriteByte(':')
			return writeCanonical(text, parsed[names[i]])
		})
	default:
		return fmt.Errorf("a %T is not JSON", parsed)
	}
	return nil
}

func writeEach(text *bytes.Buffer, begin, end byte, count int, write func(int) error) error {
	text.WriteByte(begin)
	for i := 0; i < count; i++ {
		if i > 0 {
			text.WriteByte(',')
		}
		if err := write(i); err != nil {
			return err
		}
	}
	text.WriteByte(end)
	return nil
}

// isBefore compares by UTF-16 code units (RFC 8785 section 3.2.3).
func isBefore(one, other string) bool {
	a, b := utf16.Encode([]rune(one)), utf16.Encode([]rune(other))
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return len(a) < len(b)
}

// writeString escapes only what ECMAScript's JSON.stringify does.
func writeString(text *bytes.Buffer, given string) {
	text.WriteByte('"')
	for _, c := range given {
		switch {
		case c == '"' || c == '\\':
			text.WriteByte('\\')
			text.WriteRune(c)
		case c >= ' ':
			text.WriteRune(c)
		case strings.ContainsRune("\b\t\n\f\r", c):
			text.WriteByte('\\')
			text.WriteByte("btn_fr"[c-'\b'])
		default:
			fmt.Fprintf(text, `\u%04x`, c)
		}
	}
	text.WriteByte('"')
}

// canonicalNumber writes a number as ECMAScript does: its shortest digits, with an exponent below 1e-6 and from 1e21 on.
func canonicalNumber(number float64) string {
	if number == 0 {
		return "0"
	}
	if size := math.Abs(number); size >= 1e-6 && size < 1e21 {
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(number, 'e', -1, 64), "e")
	return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
}
