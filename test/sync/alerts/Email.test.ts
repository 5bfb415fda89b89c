/** E-mail of alerts before a mail server of the test: what is refused, and that no password goes out in the clear. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { type AddressInfo, createServer } from "node:net"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { email } from "../../../sync/alerts/channels/Email.ts"
import type { EmailChannel } from "../../../sync/model/AlertSettings.ts"
import type { AlertMessage } from "../../../sync/alerts/Message.ts"
import { until } from "../../support/Daemon.ts"

const MESSAGE: AlertMessage = { id: "0123456789abcdef", type: "daybook.test", alerts: [], more: 0 }

const servers: Array<SMTPServer> = []
afterAll(() => servers.forEach((server) => void server.close()))

/** What a server heard: passwords, and messages. */
const mailServer = async (options: SMTPServerOptions) => {
  const passwords: Array<string> = []
  const texts: Array<string> = []
  const server = new SMTPServer({
    allowInsecureAuth: true,
    authOptional: true,
    onAuth: ({ password }, _, callback) => {
      passwords.push(password ?? "")
      callback(null, { user: "daybook" })
    },
    onData: (stream, _, callback) => {
      let text = ""
      stream.on("data", (chunk) => void (text += String(chunk)))
      stream.on("end", () => {
        texts.push(text)
        callback()
      })
    },
    ...options
  })
  // A client that breaks off is what is looked for.
  server.on("error", () => {})
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  return { passwords, texts, port: (server.server.address() as AddressInfo).port }
}

const channel = (port: number, more: Partial<EmailChannel> = {}): EmailChannel => ({
  host: "127.0.0.1",
  port,
  user: "daybook",
  from: "Daybook <daybook@acme.example>",
  to: ["a@acme.example", "b@acme.example"],
  ...more
})

const sending = (to: EmailChannel) =>
  Effect.runPromise(
    Effect.match(email(to, Redacted.make("the password"), MESSAGE), {
      onSuccess: () => "sent",
      onFailure: ({ again, why }) => `${again ? "again" : "never"}: ${why}`
    })
  )

const UNSAFE = /^(again|never): the mail server (does not encrypt as `security` asks for|did not answer)/

describe("e-mail", () => {
  it("tells no password to a server that does not encrypt, or whose certificate nobody knows", async () => {
    const open = await mailServer({ disabledCommands: ["STARTTLS"] })
    assert.match(await sending(channel(open.port)), UNSAFE)
    const unknown = await mailServer({})
    assert.match(await sending(channel(unknown.port)), UNSAFE)
    const tls = await mailServer({ secure: true })
    assert.match(await sending(channel(tls.port, { security: "tls" })), UNSAFE)
    assert.deepStrictEqual(
      [open, unknown, tls].flatMap(({ passwords, texts }) => [...passwords, ...texts]),
      []
    )
    // Where nobody listens in between, somebody may say so.
    assert.strictEqual(await sending(channel(open.port, { security: "none" })), "sent")
    assert.match(open.texts[0] ?? "", /^To: a@acme\.example, b@acme\.example\r$/m)
    assert.match(open.texts[0] ?? "", /^Message-ID: <0123456789abcdef@acme\.example>\r$/m)
  })

  it("is tried again where the server says so, and not where it was its last word", async () => {
    const refusing = (responseCode: number) =>
      mailServer({
        disabledCommands: ["STARTTLS"],
        onMailFrom: (_, __, callback) => callback(Object.assign(new Error("no"), { responseCode }))
      })
    const plain = { security: "none" } as const
    const later = await refusing(451)
    assert.match(await sending(channel(later.port, plain)), /^again: .*\(451\)$/)
    const never = await refusing(550)
    assert.match(await sending(channel(never.port, plain)), /^never: .*\(550\)$/)
    assert.strictEqual(await sending(channel(1, plain)), "again: the mail server did not answer")
  })

  it("ends the connection with whoever waits for it, to a server that always sends a little", async () => {
    let open = 0
    const server = createServer((socket) => {
      open++
      socket.write("220 here\r\n")
      const trickle = setInterval(() => socket.write("250-and\r\n"), 20)
      socket
        .on("data", () => {})
        .on("error", () => {})
        .on("close", () => {
          clearInterval(trickle)
          open--
        })
    })
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
    const to = channel((server.address() as AddressInfo).port, { security: "none" })
    const said = Effect.flip(email(to, Redacted.make("the password"), MESSAGE))
    await Effect.runPromise(Effect.timeoutOption(said, 300))
    await until("it is let go", () => (open === 0 ? true : undefined))
    server.close()
  })
})
