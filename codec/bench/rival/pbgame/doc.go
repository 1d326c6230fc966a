// Package pbgame is the game state as protobuf messages.
package pbgame

//go:generate go run ../../internal/pbgen
