// The server: requests and their answers.

package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/octable/octable/dsl"
)

// ErrNotShutDown says that a client ended the conversation without having asked for
// a shutdown.
var ErrNotShutDown = errors.New("the client has gone without shutdown")

// delay is how long the server waits after a change before it checks a file.
var delay = 150 * time.Millisecond

// Serve speaks the protocol over a stream until the client ends it. The error is nil
// if the client asked for a shutdown before.
func Serve(ctx context.Context, stream io.ReadWriteCloser) error {
	s := &server{
		workspace: workspace{docs: map[string]*document{}, parser: &parser{files: map[string]parsed{}}},
		timers:    map[string]*time.Timer{},
		published: map[string]publishDiagnosticsParams{},
		done:      make(chan struct{}),
	}
	conn := jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(stream, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.HandlerWithError(s.handle),
		jsonrpc2.SetLogger(log.New(io.Discard, "", 0))) // what goes wrong is answered, or of no use to anybody
	defer conn.Close()
	select {
	case <-s.done:
	case <-conn.DisconnectNotify():
	case <-ctx.Done():
		return ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != shutDown {
		return ErrNotShutDown
	}
	return nil
}

// state is how far a conversation is.
type state int

const (
	begun state = iota
	initialized
	shutDown
)

type server struct {
	workspace
	state  state
	timers map[string]*time.Timer // of checks to come, by URI

	published map[string]publishDiagnosticsParams // the last diagnostics of each document, by URI
	folders   []string                            // of the workspace
	done      chan struct{}
	ended     sync.Once
}

// Errors of the protocol.
const (
	codeNotInitialized = -32002
	codeRequestFailed  = -32803
)

func failed(format string, args ...any) error {
	return &jsonrpc2.Error{Code: codeRequestFailed, Message: fmt.Sprintf(format, args...)}
}

// handle answers one message. Messages come one after another.
func (s *server) handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			result, err = nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: fmt.Sprintf("internal error; please report it: %v", r)}
		}
	}()
	s.mu.Lock()
	state := s.state
	s.mu.Unlock()
	switch {
	case req.Method == "exit":
		s.ended.Do(func() { close(s.done) })
		return nil, nil
	case req.Method == "initialize" && state == begun:
	case state == begun && req.Notif:
		return nil, nil
	case state == begun:
		return nil, &jsonrpc2.Error{Code: codeNotInitialized, Message: "initialize comes first"}
	case state == shutDown:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server is shut down"}
	}
	answer, ok := methods[req.Method]
	if !ok {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "the server has no " + req.Method}
	}
	params := json.RawMessage("null")
	if req.Params != nil {
		params = *req.Params
	}
	return answer(s, ctx, conn, params)
}

type method func(s *server, ctx context.Context, conn *jsonrpc2.Conn, params json.RawMessage) (any, error)

var methods = map[string]method{
	"initialize":                       handler((*server).initialize),
	"initialized":                      handler(func(*server, call, struct{}) (any, error) { return nil, nil }),
	"shutdown":                         handler((*server).shutdown),
	"textDocument/didOpen":             handler((*server).didOpen),
	"textDocument/didChange":           handler((*server).didChange),
	"textDocument/didSave":             handler(func(*server, call, documentParams) (any, error) { return nil, nil }),
	"textDocument/didClose":            handler((*server).didClose),
	"textDocument/hover":               handler((*server).hoverAt),
	"textDocument/definition":          handler((*server).definitionAt),
	"textDocument/references":          handler((*server).referencesAt),
	"textDocument/prepareRename":       handler((*server).prepareRename),
	"textDocument/rename":              handler((*server).renameAt),
	"textDocument/completion":          handler((*server).completion),
	"textDocument/documentSymbol":      handler((*server).symbols),
	"textDocument/formatting":          handler((*server).formatting),
	"textDocument/codeAction":          handler((*server).codeActions),
	"textDocument/semanticTokens/full": handler((*server).semanticTokens),
	"textDocument/foldingRange":        handler((*server).foldingRanges),
	"textDocument/inlayHint":           handler((*server).inlayHints),
	"workspace/symbol":                 handler((*server).workspaceSymbols),
	"workspace/didChangeWatchedFiles":  handler(func(*server, call, struct{}) (any, error) { return nil, nil }),
}

// call is what a message came over.
type call struct {
	context.Context
	*jsonrpc2.Conn
}

// handler reads the parameters of a message.
func handler[P any](f func(*server, call, P) (any, error)) method {
	return func(s *server, ctx context.Context, conn *jsonrpc2.Conn, params json.RawMessage) (any, error) {
		var p P
		if string(params) != "null" {
			if err := json.Unmarshal(params, &p); err != nil {
				return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
			}
		}
		return f(s, call{ctx, conn}, p)
	}
}

func (s *server) initialize(_ call, p initializeParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = initialized
	for _, f := range p.Folders {
		s.folders = append(s.folders, fileName(f.URI))
	}
	if len(p.Folders) == 0 && p.RootURI != "" {
		s.folders = append(s.folders, fileName(p.RootURI))
	}
	encoding := "utf-16"
	for _, e := range p.Capabilities.General.PositionEncodings {
		if e == "utf-8" {
			s.utf8, encoding = true, e
		}
	}
	return initializeResult{
		ServerInfo: serverInfo{"octable"},
		Capabilities: serverCapabilities{
			PositionEncoding:   encoding,
			TextDocumentSync:   syncOptions{OpenClose: true, Change: 2},
			HoverProvider:      true,
			DefinitionProvider: true, ReferencesProvider: true, DocumentSymbolProvider: true, DocumentFormattingProvider: true,
			RenameProvider:         renameOptions{true},
			CompletionProvider:     completionOptions{[]string{"|", "!", "\""}},
			CodeActionProvider:     codeActionOptions{[]string{quickFix}},
			SemanticTokensProvider: tokenOptions{legend, true},
			FoldingRangeProvider:   true, InlayHintProvider: true, WorkspaceSymbolProvider: true,
		},
	}, nil
}

func (s *server) shutdown(call, struct{}) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = shutDown
	for _, t := range s.timers {
		t.Stop()
	}
	return nil, nil
}

func (s *server) didOpen(c call, p didOpenParams) (any, error) {
	s.mu.Lock()
	d := p.TextDocument
	s.docs[d.URI] = &document{uri: d.URI, name: fileName(d.URI), version: d.Version, text: newText(d.Text, s.utf8)}
	s.mu.Unlock()
	s.checkLater(c.Conn)
	return nil, nil
}

func (s *server) didChange(c call, p didChangeParams) (any, error) {
	s.mu.Lock()
	old := s.docs[p.TextDocument.URI]
	if old == nil {
		s.mu.Unlock()
		return nil, fmt.Errorf("%s is not open", p.TextDocument.URI)
	}
	t := old.text
	for _, change := range p.ContentChanges {
		t = t.change(change)
	}
	s.docs[old.uri] = &document{uri: old.uri, name: old.name, version: p.TextDocument.Version, text: t}
	s.mu.Unlock()
	s.checkLater(c.Conn)
	return nil, nil
}

func (s *server) didClose(c call, p documentParams) (any, error) {
	s.mu.Lock()
	delete(s.docs, p.TextDocument.URI)
	delete(s.published, p.TextDocument.URI)
	if t := s.timers[p.TextDocument.URI]; t != nil {
		t.Stop()
		delete(s.timers, p.TextDocument.URI)
	}
	s.mu.Unlock()
	s.checkLater(c.Conn)
	return nil, c.Notify(c.Context, "textDocument/publishDiagnostics", publishDiagnosticsParams{URI: p.TextDocument.URI, Diagnostics: []diagnostic{}})
}

// checkLater checks all documents that are open when nothing has changed for a
// while: each may extend another.
func (s *server) checkLater(conn *jsonrpc2.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for uri := range s.docs {
		if t := s.timers[uri]; t != nil {
			t.Stop()
		}
		s.timers[uri] = time.AfterFunc(delay, func() { s.publish(conn, uri) })
	}
}

// publish tells what is wrong in a document, unless it has changed meanwhile.
func (s *server) publish(conn *jsonrpc2.Conn, uri string) {
	now := s.snapshot()
	s.mu.Lock()
	d := s.docs[uri]
	s.mu.Unlock()
	if d == nil {
		return
	}
	p := publishDiagnosticsParams{URI: uri, Version: d.version, Diagnostics: now.check(d.name)}
	if p.Diagnostics == nil {
		p.Diagnostics = []diagnostic{}
	}
	s.mu.Lock()
	current := s.docs[uri] == d && s.state == initialized
	if current {
		s.published[uri] = p
	}
	s.mu.Unlock()
	if current {
		_ = conn.Notify(context.Background(), "textDocument/publishDiagnostics", p) // a client that has gone is told nothing
	}
}

// place is where a request is about: the file, its text, and the offset that the
// schema language counts.
type place struct {
	*snapshot
	name   string
	text   *text
	offset int
}

func (s *server) place(p positionParams) place {
	now := s.snapshot()
	name := fileName(p.TextDocument.URI)
	t := now.text(name)
	return place{now, name, t, max(t.offset(p.Position)-t.mark(), 0)}
}

func (p *place) span(from, to int) textRange {
	return p.text.span(from+p.text.mark(), to+p.text.mark())
}

func (s *server) hoverAt(_ call, params positionParams) (any, error) {
	p := s.place(params)
	text, from, to, ok := p.hover(p.name, p.offset)
	if !ok {
		return nil, nil
	}
	return hover{markupContent{"markdown", text}, p.span(from, to)}, nil
}

// location is where a site is, in a file that an editor can open.
func (p *place) location(at site) (location, error) {
	t := p.snapshot.text(at.file)
	path, err := onDisk(at.file)
	if err != nil {
		return location{}, failed("the schema %s, which is part of octable, cannot be shown: %v", at.file, err)
	}
	return location{p.uriOf(path), t.span(at.at+t.mark(), at.at+at.len+t.mark())}, nil
}

func (s *server) definitionAt(_ call, params positionParams) (any, error) {
	p := s.place(params)
	at, ok := p.definition(p.name, p.offset)
	if !ok {
		return nil, nil
	}
	return p.location(at)
}

func (s *server) referencesAt(_ call, params referenceParams) (any, error) {
	p := s.place(params.positionParams)
	_, all := p.references(p.name, p.offset)
	out := []location{}
	for _, o := range all {
		if o.Declares && !params.Context.IncludeDeclaration {
			continue
		}
		l, err := p.location(siteOf(o.Pos, o.Text))
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

func (s *server) prepareRename(_ call, params positionParams) (any, error) {
	p := s.place(params)
	files, err := p.lineage(p.name)
	if err != nil {
		return nil, failed("%v", err)
	}
	o := p.index(p.name, files).at(p.offset)
	if o == nil {
		return nil, nil
	}
	if at := o.To.At[0]; isOurs(at.Filename) {
		return nil, failed("%s is declared in %s, which is part of octable", o.Text, at.Filename)
	}
	return prepareRenameResult{p.span(o.Pos.Offset, o.Pos.Offset+len(o.Text)), o.Text}, nil
}

func (s *server) renameAt(_ call, params renameParams) (any, error) {
	p := s.place(params.positionParams)
	all, err := p.rename(p.name, p.offset, params.NewName)
	if err != nil {
		return nil, failed("%v", err)
	}
	edit := workspaceEdit{map[string][]textEdit{}}
	for _, o := range all {
		t := p.snapshot.text(o.Pos.Filename)
		uri, at := p.uriOf(o.Pos.Filename), o.Pos.Offset+t.mark()
		edit.Changes[uri] = append(edit.Changes[uri], textEdit{t.span(at, at+len(o.Text)), params.NewName})
	}
	return edit, nil
}

func (s *server) completion(_ call, params positionParams) (any, error) {
	p := s.place(params)
	items, from := p.complete(p.name, p.offset)
	for i := range items {
		items[i].TextEdit = &textEdit{p.span(from, p.offset), items[i].Label}
		items[i].SortText = fmt.Sprintf("%04d", i)
	}
	if items == nil {
		items = []completionItem{}
	}
	return items, nil
}

func (s *server) symbols(_ call, params documentParams) (any, error) {
	p := s.place(positionParams{TextDocument: params.TextDocument})
	return p.documentSymbols(p.name), nil
}

// formatting replaces the lines that are not in the one style there is.
func (s *server) formatting(_ call, params documentParams) (any, error) {
	p := s.place(positionParams{TextDocument: params.TextDocument})
	f, err := dsl.ParseFile(p.name, []byte(p.text.s))
	if err != nil {
		return nil, failed("a file is formatted when it can be read: %s", firstOf(err))
	}
	after := string(dsl.Format(f))
	if after == p.text.s {
		return []textEdit{}, nil
	}
	before := p.text.s
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	for head > 0 && before[head-1] != '\n' {
		head--
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	for tail > 0 && (tail == len(before) || before[len(before)-tail-1] != '\n') {
		tail--
	}
	return []textEdit{{p.text.span(head, len(before)-tail), after[head : len(after)-tail]}}, nil
}

// firstOf is the first of several errors, in one line.
func firstOf(err error) string {
	var diags dsl.Diagnostics
	if errors.As(err, &diags) && len(diags) > 0 {
		return fmt.Sprintf("line %d: %s", diags[0].Pos.Line, diags[0].Message)
	}
	return err.Error()
}
