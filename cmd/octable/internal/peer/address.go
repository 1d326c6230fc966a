package peer

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// Address is the place where a hub listens, or to which it connects.
type Address struct {
	Scheme string // tcp, udp, ws or wss
	Host   string // with the port
	Path   string // of ws and wss
}

// Parse reads an address such as :6007, 127.0.0.1:6007, udp://[::1]:4433 or ws://127.0.0.1:9080/game. The default scheme
// is tcp, and the default host the loopback interface.
func Parse(text string) (Address, error) {
	a := Address{Scheme: "tcp"}
	rest := text
	if scheme, after, ok := strings.Cut(text, "://"); ok {
		a.Scheme, rest = strings.ToLower(scheme), after
	}
	switch a.Scheme {
	case "tcp", "udp":
	case "ws", "wss":
		host, path, _ := strings.Cut(rest, "/")
		rest, a.Path = host, "/"+path
		if _, err := url.Parse(a.Scheme + "://localhost" + a.Path); err != nil {
			return a, fmt.Errorf("%q is no path of an address: %w", a.Path, err)
		}
	default:
		return a, fmt.Errorf("%q is no kind of address; it is one of tcp, udp, ws and wss, as in tcp://127.0.0.1:6007", a.Scheme)
	}
	host, port, err := net.SplitHostPort(rest)
	if err != nil {
		host, port = "", rest // a port alone
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || strings.HasPrefix(port, "+") || n > 65535 {
		return a, fmt.Errorf("%q is no address; it is HOST:PORT with a port of 0 to 65535, as in 127.0.0.1:6007", text)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	a.Host = net.JoinHostPort(host, port)
	return a, nil
}

// String returns the address with its scheme.
func (a Address) String() string { return a.Scheme + "://" + a.Host + strings.TrimSuffix(a.Path, "/") }
