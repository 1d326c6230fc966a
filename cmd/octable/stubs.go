package main

import "github.com/spf13/cobra"

func (e *env) specsCommand() *cobra.Command {
	return &cobra.Command{Use: "specs", Run: func(*cobra.Command, []string) {}}
}
func (e *env) checkCommand() *cobra.Command {
	return &cobra.Command{Use: "check", Run: func(*cobra.Command, []string) {}}
}
func (e *env) fmtCommand() *cobra.Command {
	return &cobra.Command{Use: "fmt", Run: func(*cobra.Command, []string) {}}
}
func (e *env) grammarCommand() *cobra.Command {
	return &cobra.Command{Use: "grammar", Run: func(*cobra.Command, []string) {}}
}
func (e *env) disasmCommand() *cobra.Command {
	return &cobra.Command{Use: "disasm", Run: func(*cobra.Command, []string) {}}
}
func (e *env) compileCommand() *cobra.Command {
	return &cobra.Command{Use: "compile", Run: func(*cobra.Command, []string) {}}
}
func (e *env) errataCommand() *cobra.Command {
	return &cobra.Command{Use: "errata", Run: func(*cobra.Command, []string) {}}
}
func (e *env) auditCommand() *cobra.Command {
	return &cobra.Command{Use: "audit", Run: func(*cobra.Command, []string) {}}
}
