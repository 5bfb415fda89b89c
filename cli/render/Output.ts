/**
 * Writes a command's output. Standard output is for people; with `--json` it contains one object per line and nothing else.
 * Progress goes to standard error, and only to a terminal.
 */
import { Context, Effect } from "effect"
import { hide } from "../../sync/library/Hidden.ts"

export interface OutputOptions {
  readonly json: boolean
  readonly quiet: boolean
  readonly color: boolean
  /** Standard error is a terminal. */
  readonly progress: boolean
  /** The terminal's width in columns. */
  readonly width: number
}

export interface Output extends OutputOptions {
  /** For people; prints nothing with `--json` or `--quiet`. */
  readonly say: (text: string) => Effect.Effect<void>
  /** For programs; prints nothing without `--json`. */
  readonly emit: (record: { readonly type: string; readonly [member: string]: unknown }) => Effect.Effect<void>
  /** A progress line that is overwritten during long work. */
  readonly tick: (text: string) => Effect.Effect<void>
  /** Removes the progress line. */
  readonly clear: Effect.Effect<void>
  /** Always to standard error. */
  readonly complain: (text: string) => Effect.Effect<void>
  readonly style: Style
}

export type Style = Readonly<Record<"bold" | "dim" | "red" | "green" | "yellow" | "blue", (text: string) => string>>

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], blue: [34, 39] } as const

const makeStyle = (color: boolean): Style =>
  Object.fromEntries(
    Object.entries(CODES).map(([name, [on, off]]) => [
      name,
      (text: string) => (color ? `\u001b[${on}m${text}\u001b[${off}m` : text)
    ])
  ) as unknown as Style

const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    // Waiting for the stream keeps memory flat when a long plan is piped into a slow reader.
    if (stream.write(text)) resume(Effect.void)
    else stream.once("drain", () => resume(Effect.void))
  })

/** A text from others within a sentence: it must not look like a line of its own. */
export const oneLine = (text: string): string => text.replace(/(?<!\s)\s*[\n\u2028\u2029]\s*/g, " ")

/** Removes terminal control sequences from data; only our own colours are printed. */
export const harmless = (text: string): string =>
  text.replace(
    /\u001b(?!\[\d{1,2}m)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    "\ufffd"
  )

/** Records about problems; other records contain data of the source and the service. */
const ABOUT_TROUBLE: ReadonlySet<string> = new Set(["error", "check", "summary"])

const bigintText = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value)

export const make = (options: OutputOptions): Output => {
  /** When the progress line was last written. */
  let last = 0
  let beats: NodeJS.Timeout | undefined
  const line = (text: string) => `\r\u001b[2K${text.slice(0, options.width - 1)}`
  /** Work that says nothing new for a while, because it waits for a source's limit or plans, is not silent. */
  const beat = (text: string) => {
    clearInterval(beats)
    const since = performance.now()
    const seconds = () => Math.round((performance.now() - since) / 1000)
    beats = setInterval(() => process.stderr.write(line(`${text} (for ${seconds()} s)`)), 1000).unref()
  }
  const clear = Effect.suspend(() => {
    if (beats === undefined) return Effect.void
    clearInterval(beats)
    beats = undefined
    return write(process.stderr, line(""))
  })
  return {
    ...options,
    style: makeStyle(options.color),
    say: (text) =>
      options.json || options.quiet ? Effect.void : Effect.andThen(clear, write(process.stdout, `${harmless(text)}\n`)),
    emit: (record) => {
      if (!options.json) return Effect.void
      const line = `${JSON.stringify(record, bigintText)}\n`
      return write(process.stdout, ABOUT_TROUBLE.has(record.type) ? hide(line) : line)
    },
    tick: (text) =>
      Effect.suspend(() => {
        const now = performance.now()
        if (!options.progress || options.quiet || now - last < 80) return Effect.void
        last = now
        beat(text)
        return write(process.stderr, line(text))
      }),
    clear,
    complain: (text) => Effect.andThen(clear, write(process.stderr, `${hide(harmless(text))}\n`))
  }
}

export class Out extends Context.Service<Out, Output>()("daybook/cli/Out") {}
