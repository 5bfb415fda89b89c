/**
 * Writes the log, for each entry one line for people, or one JSON object: the daemon's to standard output, which is the answer of
 * every other command, whose log goes to standard error.
 */
import { hide } from "../../sync/library/Hidden.ts"
import { harmless } from "../render/Output.ts"
import { Cause, Logger, References, type Layer, type LogLevel } from "effect"

const words = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .map((one) => (typeof one === "string" ? one : JSON.stringify(one)))
    .join(" ")

/** The messages of errors; stacks are only for debugging. */
const causes = (cause: Cause.Cause<unknown>, debug: boolean): string | undefined => {
  if (cause.reasons.length === 0) return undefined
  if (debug) return Cause.pretty(cause)
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}

/** One line, whatever a source's message holds: it must not look like an entry of its own, nor control a terminal. */
const oneLine = (text: string): string =>
  harmless(text.replaceAll("\u001b", "\ufffd").replace(/[\n\r\u0085\u2028\u2029]+/g, " ⏎ "))

type Stream = "stdout" | "stderr"

const logger = (form: "text" | "json", debug: boolean, to: Stream): Logger.Logger<unknown, void> =>
  Logger.make(({ cause, date, fiber, logLevel, message }) => {
    const write = (line: string) => void process[to].write(`${oneLine(hide(line))}\n`)
    const why = causes(cause, debug)
    const { connection, tenant, ...rest } = fiber.getRef(References.CurrentLogAnnotations)
    const level = logLevel.toLowerCase()
    if (form === "json") {
      const about = {
        ...(tenant === undefined ? {} : { tenant }),
        ...(connection === undefined ? {} : { connection }),
        ...rest
      }
      return write(
        JSON.stringify({ time: date.toISOString(), level, message: words(message), ...about, ...(why ? { why } : {}) })
      )
    }
    const named = [tenant, connection].filter((one) => one !== undefined)
    const about = named.length === 0 ? "" : `${named.map(String).join("/")}: `
    write(`${date.toISOString()} ${level.padEnd(5)} ${about}${words(message)}${why === undefined ? "" : `: ${why}`}`)
  })

export const layer = (form: "text" | "json", debug: boolean, to: Stream = "stdout"): Layer.Layer<never> =>
  Logger.layer([logger(form, debug, to)])

/** With `--quiet`, only problems are logged. */
export const level = (quiet: boolean): LogLevel.LogLevel => (quiet ? "Warn" : "Info")
