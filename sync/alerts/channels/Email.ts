/** Sends a message by e-mail: plain text, over an encrypted connection unless configured otherwise. */
import { isIP, type LookupFunction } from "node:net"
import { createTransport, type Transporter } from "nodemailer"
import { Effect, Redacted } from "effect"
import type { EmailChannel } from "../../model/AlertSettings.ts"
import { type AlertMessage, subjectOf, plainTextOf } from "../Message.ts"
import { DELIVERY_TIMEOUT_MS, NotDelivered } from "./Delivery.ts"

interface SmtpError extends Error {
  readonly code?: string
  /** The server's status code: 4xx is temporary, 5xx is final. */
  readonly responseCode?: number
}

const why = ({ code, responseCode }: SmtpError): string => {
  const answered = responseCode === undefined ? "" : ` (${responseCode})`
  switch (code) {
    case "EAUTH":
      return `the mail server does not accept user and password${answered}`
    case "EENVELOPE":
      return `the mail server does not accept the sender or a recipient${answered}`
    case "ETLS":
      return "the mail server does not encrypt as `security` asks for, or its certificate is not valid"
    case "EMESSAGE":
      return `the mail server does not take the message${answered}`
    default:
      return responseCode === undefined ? "the mail server did not answer" : `the mail server answered ${responseCode}`
  }
}

const transportOf = (
  { host, port, security, user }: EmailChannel,
  address: string,
  password: Redacted.Redacted | undefined
): Transporter => {
  const secure = (security ?? (port === 465 ? "tls" : "starttls")) === "tls"
  const auth =
    user === undefined ? {} : { auth: { user, pass: password === undefined ? "" : Redacted.value(password) } }
  return createTransport({
    host: address,
    // The certificate is the host's, whatever was connected to.
    ...(isIP(host) === 0 ? { tls: { servername: host } } : {}),
    port: port ?? (secure ? 465 : 587),
    secure,
    requireTLS: !secure && security !== "none",
    ignoreTLS: security === "none",
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: DELIVERY_TIMEOUT_MS,
    greetingTimeout: DELIVERY_TIMEOUT_MS,
    socketTimeout: DELIVERY_TIMEOUT_MS,
    ...auth
  })
}

/** What to connect to: the host, or the address that it has now where the name must lead to the internet. */
const addressOf = (host: string, lookup: LookupFunction | undefined): Promise<string> =>
  lookup === undefined
    ? Promise.resolve(host)
    : new Promise((found, fail) =>
        lookup(host, {}, (error, address) => (error === null ? found(String(address)) : fail(error)))
      )

const domainOf = (from: string): string => /@([^\s<>]+?)>?$/.exec(from)?.[1] ?? "daybook"

export const email = (
  channel: EmailChannel,
  password: Redacted.Redacted | undefined,
  message: AlertMessage,
  lookup?: LookupFunction
): Effect.Effect<void, NotDelivered> =>
  Effect.tryPromise({
    try: async (signal) => {
      const transport = transportOf(channel, await addressOf(channel.host, lookup), password)
      try {
        await transport.sendMail({
          from: channel.from,
          to: [...channel.to],
          subject: subjectOf(message),
          text: plainTextOf(message),
          // The same in every repetition.
          messageId: `<${message.id}@${domainOf(channel.from)}>`,
          headers: { "auto-submitted": "auto-generated" },
          // A server that always sends a little would keep the connection for as long as it likes.
          signal
        })
      } finally {
        transport.close()
      }
    },
    catch: (cause) => {
      const error = cause as SmtpError
      return new NotDelivered({ why: why(error), again: (error.responseCode ?? 0) < 500 })
    }
  }).pipe(
    Effect.timeout(2 * DELIVERY_TIMEOUT_MS),
    Effect.catchTag("TimeoutError", () =>
      Effect.fail(new NotDelivered({ why: "the mail server did not answer", again: true }))
    )
  )
