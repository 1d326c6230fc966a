package peer

import (
	"errors"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// maxDatagram is the most bytes that a datagram may have.
const maxDatagram = 65507

// datagrams is a UDP socket that is connected to one peer.
type datagrams struct {
	conn net.Conn
	buf  [maxDatagram + 1]byte
}

func (d *datagrams) read() ([]byte, error) {
	for {
		n, err := d.conn.Read(d.buf[:])
		if errors.Is(err, syscall.ECONNREFUSED) { // of an earlier packet; the peer may come later
			continue
		}
		return d.buf[:n], err
	}
}

func (d *datagrams) write(packet []byte) error {
	_, err := d.conn.Write(packet)
	if errors.Is(err, syscall.ECONNREFUSED) {
		return nil
	}
	return err
}

func (d *datagrams) close() { _ = d.conn.Close() }

// source is a peer of a UDP socket that listens. It joins with its first packet and leaves when others take its place.
type source struct {
	socket *net.UDPConn
	addr   netip.AddrPort
	last   time.Time
}

func (s *source) read() ([]byte, error) { return nil, net.ErrClosed }

func (s *source) write(packet []byte) error {
	_, err := s.socket.WriteToUDPAddrPort(packet, s.addr)
	return err
}

func (s *source) close() {}

func (h *Hub) listenUDP(a Address) error {
	addr, err := net.ResolveUDPAddr("udp", a.Host)
	if err != nil {
		return err
	}
	socket, err := net.ListenUDP("udp", addr)
	if err != nil {
		return err
	}
	h.addr = "udp://" + socket.LocalAddr().String()
	h.closeLater(socket)
	h.work.Go(func() {
		buf := make([]byte, maxDatagram+1)
		for {
			n, from, err := socket.ReadFromUDPAddrPort(buf)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil { // of one packet that was sent or received
				continue
			}
			if n > h.opt.MaxFrame {
				h.emit(Event{Kind: Refused, Peer: from.String(), Err: ErrTooBig})
				continue
			}
			if !h.heard(socket, from) || !h.emit(Event{Kind: Packet, Peer: from.String(), Packet: append([]byte(nil), buf[:n]...)}) {
				return
			}
		}
	})
	return nil
}

// heard makes the source of a packet a peer. The peer that was silent for longest leaves if there are too many. It reports
// false if the hub is closed.
func (h *Hub) heard(socket *net.UDPConn, from netip.AddrPort) bool {
	h.mu.Lock()
	var oldest *member
	for _, m := range h.peers {
		s := m.conn.(*source)
		if s.addr == from {
			s.last = time.Now()
			h.mu.Unlock()
			return true
		}
		if oldest == nil || s.last.Before(oldest.conn.(*source).last) {
			oldest = m
		}
	}
	full := len(h.peers) >= h.opt.MaxPeers
	h.mu.Unlock()
	if full {
		h.remove(oldest)
		if !h.emit(Event{Kind: Left, Peer: oldest.name, Err: ErrFull}) {
			return false
		}
	}
	if _, ok := h.add(from.String(), &source{socket: socket, addr: from, last: time.Now()}); !ok {
		return false
	}
	return h.emit(Event{Kind: Joined, Peer: from.String()})
}
