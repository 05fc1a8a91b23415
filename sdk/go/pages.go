package authservice

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"time"
)

const rememberedChanges = 1000

// ChangesOptions say where to begin, and whether to wait for new changes.
type ChangesOptions struct {
	// After is the Cursor of a page that you store; without it, the history is read from its beginning.
	After string
	// Poll is how often to look for new changes; without it, reading ends with the last change.
	Poll time.Duration
}

// A ChangePage has consecutive changes, at least one, oldest first.
type ChangePage struct {
	// Items are the changes of this page, oldest first.
	Items []Change
	// Cursor is where the next page begins: store it once this page is processed.
	Cursor string
}

// A ChangesReader reads the changes that concern the application, page by page. It is for one goroutine.
type ChangesReader struct {
	caller  *caller
	options ChangesOptions
	// known are the changes that were returned last, in their order.
	known   []string
	isAtEnd bool
}

// Changes reads the changes that concern the application. After an interruption, unprocessed pages are delivered again, and so may
// be the latest changes.
func (c *Client) Changes(options ChangesOptions) *ChangesReader {
	return &ChangesReader{caller: c.caller, options: options}
}

// Next returns the next page with changes that were not returned before. At the end it returns io.EOF, or waits if the reader polls.
// After any other error it can be called again, and continues.
func (r *ChangesReader) Next(ctx context.Context) (*ChangePage, error) {
	for {
		if r.isAtEnd {
			if r.options.Poll <= 0 {
				return nil, io.EOF
			}
			if err := r.caller.clocks.sleep(ctx, r.options.Poll); err != nil {
				return nil, aborted(err)
			}
		}
		page, err := r.read(ctx)
		if err != nil {
			return nil, err
		}
		r.options.After, r.isAtEnd = page.cursor, !page.more
		if items := r.unknown(page.items); len(items) > 0 {
			return &ChangePage{Items: items, Cursor: page.cursor}, nil
		}
	}
}

// unknown returns the changes that were not returned before: they are repeated until they have a number.
func (r *ChangesReader) unknown(changes []Change) []Change {
	known := make(map[string]bool, len(r.known))
	for _, id := range r.known {
		known[id] = true
	}
	var items []Change
	for _, change := range changes {
		if !known[change.ID] {
			items = append(items, change)
			r.known = append(r.known, change.ID)
		}
	}
	if excess := len(r.known) - rememberedChanges; excess > 0 {
		r.known = append([]string{}, r.known[excess:]...)
	}
	return items
}

type readPage struct {
	items  []Change
	cursor string
	more   bool
}

func (r *ChangesReader) read(ctx context.Context) (readPage, error) {
	after := r.options.After
	given := call{method: http.MethodGet, path: "changes", target: pageTarget("changes", maxPageSize, after), reads: true}
	return send(ctx, r.caller, given, func(found *answer, _ string) (readPage, error) {
		var body struct {
			Items  []json.RawMessage
			Cursor string
			More   *bool
		}
		if err := decode(found.body, &body); err != nil {
			return readPage{}, err
		}
		if body.Items == nil || body.Cursor == "" || body.More == nil || (*body.More && body.Cursor == after) {
			return readPage{}, errNotExpected
		}
		page := readPage{cursor: body.Cursor, more: *body.More}
		for _, item := range body.Items {
			change, err := readChange(item)
			if err != nil {
				return readPage{}, err
			}
			page.items = append(page.items, change)
		}
		return page, nil
	})
}

func pageTarget(path string, limit int, after string) string {
	target := path + "?limit=" + strconv.Itoa(limit)
	if after != "" {
		target += "&after=" + encode(after)
	}
	return target
}

// A SnapshotPage is a part of everything that differs from the default.
type SnapshotPage struct {
	// Items are entries of the kinds erased, inactive and access, as the service returns them.
	Items []json.RawMessage
	// ChangesCursor is where the changes after the snapshot begin.
	ChangesCursor string
	// RolloutPercent is that of the application.
	RolloutPercent float64
}

// A SnapshotReader reads a snapshot page by page. It is for one goroutine.
type SnapshotReader struct {
	caller  *caller
	after   string
	entries int
	isAtEnd bool
}

// Snapshot reads everything that differs from the default.
func (c *Client) Snapshot() *SnapshotReader {
	return &SnapshotReader{caller: c.caller}
}

// Next returns the next page, and io.EOF after the last one. It fails if the number of entries does not prove that the snapshot is
// complete.
func (r *SnapshotReader) Next(ctx context.Context) (*SnapshotPage, error) {
	if r.isAtEnd {
		return nil, io.EOF
	}
	given := call{method: http.MethodGet, path: "access", target: pageTarget("access", maxPageSize, r.after), reads: true}
	return send(ctx, r.caller, given, func(found *answer, _ string) (*SnapshotPage, error) {
		var body struct {
			Items          []json.RawMessage
			Cursor         *string
			ChangesCursor  string
			RolloutPercent *float64
			Total          *int
		}
		if err := decode(found.body, &body); err != nil {
			return nil, err
		}
		if body.Items == nil || body.ChangesCursor == "" || body.RolloutPercent == nil {
			return nil, errNotExpected
		}
		entries := r.entries + len(body.Items)
		isComplete := body.Total != nil && *body.Total == entries
		if body.Cursor == nil && !isComplete || body.Cursor != nil && (*body.Cursor == "" || *body.Cursor == r.after) {
			return nil, errNotExpected
		}
		r.entries, r.after, r.isAtEnd = entries, orEmpty(body.Cursor), body.Cursor == nil
		return &SnapshotPage{body.Items, body.ChangesCursor, *body.RolloutPercent}, nil
	})
}
