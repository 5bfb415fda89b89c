/** Receives alerts in tests: a mail server and a webhook, and the channels that lead to them. */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { SMTPServer } from "smtp-server"
import { signature } from "../../sync/alerts/channels/Posting.ts"
import { atEnd } from "./AtEnd.ts"

export const SECRETS = {
  PAGER_SECRET: "pager-secret-7c1f",
  SMTP_PASSWORD: "smtp-password-9a2e",
  STRIPE_KEY: "rk_expired_51aa",
  PAGE_PASSWORD: "correct horse battery",
  COVER_PAYMENT: "tok_visa",
  BANK_SORTCODE: "20-00-00",
  BANK_NUMBER: "12345678"
}

interface Posted {
  readonly id: string
  readonly body: {
    readonly alerts: ReadonlyArray<{ readonly title: string; readonly what: string }>
    readonly type: string
  }
  readonly signed: boolean
}

/** A webhook that records what is posted to it. */
export const receiver = async (answer: (response: ServerResponse, n: number) => void) => {
  const posted: Array<Posted> = []
  const server = createServer((request, response) => {
    let text = ""
    request.on("data", (chunk) => void (text += chunk))
    request.on("end", () => {
      const id = String(request.headers["webhook-id"])
      const seconds = Number(request.headers["webhook-timestamp"])
      const signed = request.headers["webhook-signature"] === signature(SECRETS.PAGER_SECRET, id, seconds, text)
      answer(response, posted.push({ id, signed, body: JSON.parse(text === "" ? "{}" : text) }))
    })
  }).listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return { posted, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

interface Mail {
  readonly id: string
  readonly text: string
}

export const mailbox = async () => {
  const mails: Array<Mail> = []
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ password }, _, callback) =>
      password === SECRETS.SMTP_PASSWORD ? callback(null, { user: "daybook" }) : callback(new Error("no such user")),
    onData: (stream, _, callback) => {
      let text = ""
      stream.on("data", (chunk) => void (text += String(chunk)))
      stream.on("end", () => {
        mails.push({ id: /^Message-ID: (.*)$/im.exec(text)?.[1]?.trim() ?? "", text })
        callback()
      })
    }
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  atEnd(() => void server.close())
  return { mails, port: (server.server.address() as AddressInfo).port }
}

/** A mail's text with the soft line breaks of its transfer encoding removed. */
export const plain = (text: string): string => text.replaceAll("=\r\n", "").replaceAll("\r\n", "\n")

/** Removes repeated messages, which have the same id. */
export const once = <A extends { readonly id: string }>(all: ReadonlyArray<A>): ReadonlyArray<A> => [
  ...new Map(all.map((one) => [one.id, one])).values()
]

export const channelsTo = (mailPort: number, url: string) => ({
  office: {
    email: {
      host: "127.0.0.1",
      port: mailPort,
      security: "none",
      user: "daybook",
      password: { env: "SMTP_PASSWORD" },
      from: "Daybook <daybook@acme.example>",
      to: ["accounts@acme.example"]
    }
  },
  pager: { webhook: { url, secret: { env: "PAGER_SECRET" } } }
})
