/** Who sends a request: as nginx, HAProxy, Caddy, Traefik, and somebody who lies, write it. */
import { assert, describe, it } from "@effect/vitest"
import { EventEmitter } from "node:events"
import type { IncomingMessage, Server } from "node:http"
import { limited } from "../../cli/daemon/Connections.ts"
import { senderOf, trusting } from "../../cli/daemon/Sender.ts"

const trusts = trusting(["10.0.0.0/8", "192.0.2.7", "2001:db8:ffff::/48"])

const from = (peer: string, headers: Readonly<Record<string, string>> = {}, isPublic = false) =>
  senderOf({ headers, socket: { remoteAddress: peer } as IncomingMessage["socket"] }, { isPublic, trusts })

const forwarded = (peer: string, before: string) => from(peer, { "x-forwarded-for": before }).from

describe("the sender of a request", () => {
  it("is whoever connects, if that is no trusted proxy", () => {
    assert.strictEqual(from("203.0.113.5").from, "203.0.113.5")
    assert.strictEqual(from("::ffff:203.0.113.5").from, "203.0.113.5")
    assert.strictEqual(forwarded("203.0.113.5", "198.51.100.1"), "203.0.113.5")
    assert.strictEqual(forwarded("192.0.2.8", "198.51.100.1"), "192.0.2.8")
  })

  it("is who a trusted proxy says it is, and nobody whom the sender says", () => {
    for (const proxy of [
      "127.0.0.1",
      "::1",
      "::ffff:127.0.0.1",
      "10.1.2.3",
      "::ffff:10.1.2.3",
      "192.0.2.7",
      "2001:db8:ffff:1::2"
    ]) {
      assert.strictEqual(forwarded(proxy, "198.51.100.1"), "198.51.100.1", proxy)
      assert.strictEqual(forwarded(proxy, "127.0.0.1, 198.51.100.1"), "198.51.100.1", proxy)
      // Through two proxies of one's own.
      assert.strictEqual(forwarded(proxy, "6.6.6.6, 198.51.100.1, 10.9.9.9"), "198.51.100.1", proxy)
    }
    // Not an address: counted as what is written, in part.
    assert.strictEqual(forwarded("10.1.2.3", "unknown"), "unknown")
    assert.isAtMost(forwarded("10.1.2.3", "x".repeat(9000)).length, 64)
    assert.strictEqual(forwarded("10.1.2.3", ""), "10.1.2.3")
    assert.strictEqual(forwarded("10.1.2.3", "10.1.2.4"), "10.1.2.4")
  })

  it("is an IPv6 network, in any notation", () => {
    for (const one of [
      "2001:db8:1:2::1",
      "2001:0DB8:1:2:ffff::9",
      "[2001:db8:1:2:a:b:c:d]:443",
      "2001:db8:1:2::192.0.2.1%eth0"
    ])
      assert.strictEqual(forwarded("127.0.0.1", one), "2001:db8:1:2", one)
    assert.strictEqual(forwarded("127.0.0.1", "::ffff:c633:6401"), "198.51.100.1")
    assert.strictEqual(forwarded("127.0.0.1", "198.51.100.1:51234"), "198.51.100.1")
  })

  it("is local only without any sign of a proxy", () => {
    assert.isTrue(from("127.0.0.1").local)
    assert.isTrue(from("::1").local)
    assert.isFalse(from("10.1.2.3").local)
    assert.isFalse(from("127.0.0.1", {}, true).local)
    for (const name of ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "forwarded", "via"])
      assert.isFalse(from("127.0.0.1", { [name]: "x" }).local, name)
    for (const name of [
      "cf-connecting-ip",
      "cdn-loop",
      "true-client-ip",
      "x-client-ip",
      "x-forwarded-port",
      "fly-client-ip",
      "x-azure-clientip",
      "x-envoy-external-address",
      "x-original-forwarded-for",
      "x-appengine-user-ip",
      "x-forwarded"
    ])
      assert.isFalse(from("127.0.0.1", { [name]: "x" }).local, name)
    // nginx as it is without any proxy_set_header, and HAProxy's check of health.
    const socket = { remoteAddress: "127.0.0.1" } as IncomingMessage["socket"]
    const spoken = (headers: Readonly<Record<string, string>>) =>
      senderOf({ headers, httpVersion: "1.0", socket }, { isPublic: false, trusts })
    assert.isFalse(spoken({ host: "127.0.0.1:4020" }).local)
    assert.match(spoken({ host: "127.0.0.1:4020" }).unidentified ?? "", /does not set X-Forwarded-For/)
    assert.isUndefined(spoken({}).unidentified)
  })

  it("is encrypted where a trusted proxy says so", () => {
    const https = { "x-forwarded-proto": "https", "x-forwarded-for": "198.51.100.1" }
    assert.isTrue(from("10.1.2.3", https).encrypted)
    assert.isFalse(from("203.0.113.5", https).encrypted)
    assert.isFalse(from("10.1.2.3", { ...https, "x-forwarded-proto": "http" }).encrypted)
  })

  it("is not known where a proxy of one's own network is not trusted, or does not say", () => {
    const says = { "x-forwarded-for": "198.51.100.1" }
    assert.isUndefined(from("10.1.2.3", says).unidentified)
    assert.strictEqual(from("192.168.1.4", says).unidentified, "the proxy 192.168.1.4 is not in daemon.proxies")
    assert.strictEqual(from("172.18.0.2", {}, true).unidentified, "the proxy 172.18.0.2 is not in daemon.proxies")
    for (const [headers, isPublic] of [
      [{ "x-real-ip": "198.51.100.1" }, false],
      [{}, true]
    ] as const)
      assert.strictEqual(
        from("127.0.0.1", headers, isPublic).unidentified,
        "the proxy 127.0.0.1 does not set X-Forwarded-For"
      )
    // Whoever comes from the internet is known by their address, whatever they write.
    assert.isUndefined(from("8.8.8.8").unidentified)
    assert.isUndefined(from("8.8.8.8", says).unidentified)
    assert.isUndefined(from("8.8.8.8", {}, true).unidentified)
  })
})

describe("connections", () => {
  it("are counted for an IPv4 address, and for an IPv6 network in any notation", () => {
    const server = new EventEmitter() as unknown as Server
    limited(server, trusts)
    const opened = (remoteAddress: string) => {
      const socket = Object.assign(new EventEmitter(), { remoteAddress, destroyed: false, destroy: () => {} })
      socket.destroy = () => void (socket.destroyed = true)
      server.emit("connection", socket)
      return socket
    }
    const all = Array.from({ length: 200 }, (_, n) => opened(`2001:db8:1:2::${n.toString(16)}`))
    assert.isFalse(all.some(({ destroyed }) => destroyed))
    for (const other of ["2001:db8:1:2:ffff::1", "2001:0db8:0001:0002::ffff:1"]) assert.isTrue(opened(other).destroyed)
    assert.isFalse(opened("2001:db8:1:3::1").destroyed)
    all[0]!.emit("close")
    assert.isFalse(opened("2001:db8:1:2::abcd").destroyed)
    for (let n = 0; n < 200; n++) assert.isFalse(opened("203.0.113.9").destroyed)
    assert.isTrue(opened("::ffff:203.0.113.9").destroyed)
    for (let n = 0; n < 300; n++) assert.isFalse(opened("10.1.1.1").destroyed)
  })
})
