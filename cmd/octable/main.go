// Octable reads, writes, shows and checks binary packets by their schemas.
// Run "octable help" for its commands.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
