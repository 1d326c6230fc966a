//go:build js && wasm

// Command wasm is the back end of the inspector in a worker of the page: package view as WebAssembly.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"syscall/js"

	"github.com/octable/octable/cmd/octable/internal/view"
)

func main() {
	service := view.New()
	js.Global().Set("octableCall", js.FuncOf(func(_ js.Value, args []js.Value) any {
		method, params, done := args[0].String(), args[1].String(), args[2]
		result, err := service.Call(context.Background(), method, json.RawMessage(params))
		if err != nil {
			var e *view.Error
			if !errors.As(err, &e) {
				e = &view.Error{Code: "internal", Message: err.Error()}
			}
			text, _ := json.Marshal(e)
			done.Invoke(false, string(text))
			return nil
		}
		done.Invoke(true, string(result))
		return nil
	}))
	js.Global().Call("octableReady")
	select {}
}
