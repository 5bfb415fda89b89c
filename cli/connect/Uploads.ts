/**
 * Streams uploaded files to a folder: no file is held in memory, sizes are limited, and types are detected from the content.
 * A form must start with the session's form token; otherwise nothing of it is accepted.
 */
import { MultipartParser } from "effect/http"
import { closeSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs"
import { open } from "node:fs/promises"
import { basename, extname, join } from "node:path"
import type { Readable } from "node:stream"
import { partialOf } from "../../core/TemporaryFolder.ts"
import type { UploadedFile } from "../../sync/library/Connecting.ts"

export const MOST_FILES = 10
export const LARGEST_BYTES = 25 * 2 ** 20
const MOST_BYTES = 100 * 2 ** 20
const LARGEST_FIELD_BYTES = 8 * 1024
const HEAD_BYTES = 4096

export interface UploadOptions {
  readonly folder: string
  /** The files that were uploaded before. */
  readonly before: ReadonlyArray<UploadedFile>
  /** Whether this is the session's form token. */
  readonly isForm: (word: string) => boolean
  /** Extensions of file types that are recognised by content. */
  readonly endings: ReadonlyArray<string>
}

export type Uploaded = { readonly files: ReadonlyArray<UploadedFile> } | { readonly refused: string }

const TABLES = [".csv", ".tsv", ".jsonl"]

/** The extension that matches a file's content, or why it is not accepted. */
export const uploadEnding = (
  head: Buffer,
  name: string,
  endings: ReadonlyArray<string>
): string | { readonly why: string } => {
  const text = head.toString("latin1")
  const ending = extname(name).toLowerCase()
  if (head.length === 0) return { why: "it is empty" }
  if (text.startsWith("PK\x03\x04")) return ".xlsx"
  if (text.startsWith("\xd0\xcf\x11\xe0")) return { why: "it is a workbook of Excel 97; save it as .xlsx or CSV" }
  if (/^\s*%PDF-/.test(text)) return { why: "it is a PDF; export the list as CSV or Excel" }
  if (/^(\xef\xbb\xbf)?\s*<(!doctype html|html)/i.test(text))
    return { why: "it is a web page; export the list as CSV or Excel" }
  const wide = text.startsWith("\xff\xfe") || text.startsWith("\xfe\xff")
  if (!wide && text.includes("\0")) return { why: "it is neither text nor a workbook; export the list as CSV or Excel" }
  return [...TABLES, ...endings].includes(ending) ? ending : ".csv"
}

/** A unique name of letters, digits and a few other characters. */
export const uploadName = (shown: string, ending: string, taken: ReadonlyArray<string>): string => {
  const stem =
    basename(shown, extname(shown))
      .replace(/[^A-Za-z0-9_-]+/g, "-")
      .replace(/^-+|(?<!-)-+$/g, "")
      .slice(0, 60) || "file"
  for (let n = 1; ; n++) {
    const name = `${stem}${n === 1 ? "" : `-${n}`}${ending}`
    if (!taken.includes(name)) return name
  }
}

/** One file that is being written to disk. */
class Incoming {
  readonly #path: string
  readonly #handle: number
  bytes = 0

  constructor(folder: string) {
    this.#path = partialOf(join(folder, "upload"))
    this.#handle = openSync(this.#path, "wx+", 0o600)
  }

  write(chunk: Uint8Array): void {
    for (let done = 0; done < chunk.length; ) done += writeSync(this.#handle, chunk, done)
    this.bytes += chunk.length
  }

  head(): Buffer {
    const head = Buffer.alloc(HEAD_BYTES)
    return head.subarray(0, readSync(this.#handle, head, 0, HEAD_BYTES, 0))
  }

  keep(path: string): void {
    closeSync(this.#handle)
    renameSync(this.#path, path)
  }

  drop(): void {
    closeSync(this.#handle)
    rmSync(this.#path, { force: true })
  }
}

/** Waits until a file is on the disk, which may take long: others are answered meanwhile. */
const settled = async (path: string): Promise<void> => {
  const file = await open(path, "r+")
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

class Receiver {
  readonly #options: UploadOptions
  readonly files: Array<UploadedFile> = []
  refused: string | undefined
  done = false
  #isOurs = false
  #now: Incoming | undefined

  constructor(options: UploadOptions) {
    this.#options = options
  }

  readonly onField = (info: MultipartParser.PartInfo, value: Uint8Array): void => {
    if (info.name === "form") this.#isOurs = this.#options.isForm(MultipartParser.decodeField(info, value))
  }

  readonly onFile = (info: MultipartParser.PartInfo): ((chunk: Uint8Array | null) => void) => {
    const { before, folder } = this.#options
    const shown = basename((info.filename ?? "").replaceAll("\\", "/")).slice(0, 200)
    // A form submitted without a file contains one without a name.
    if (shown === "" || this.refused !== undefined) return () => {}
    if (!this.#isOurs) this.refused = "The form belongs to another session; open the page again."
    else if (before.length + this.files.length >= MOST_FILES) this.refused = `At most ${MOST_FILES} files are taken.`
    if (this.refused !== undefined) return () => {}
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = new Incoming(folder)
    this.#now = file
    return (chunk) => {
      if (this.#now !== file) return
      if (chunk === null) this.#finish(file, shown)
      else if (file.bytes + chunk.length > LARGEST_BYTES)
        this.refuse(`${shown} has more than ${LARGEST_BYTES / 2 ** 20} MB; split it, or leave older documents out.`)
      else if (this.#sum() + file.bytes + chunk.length > MOST_BYTES)
        this.refuse(`All files together have more than ${MOST_BYTES / 2 ** 20} MB.`)
      else file.write(chunk)
    }
  }

  refuse(why: string): void {
    this.refused ??= why
    this.#now?.drop()
    this.#now = undefined
  }

  #sum(): number {
    return [...this.#options.before, ...this.files].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  #finish(file: Incoming, shown: string): void {
    const { before, endings, folder } = this.#options
    const ending = uploadEnding(file.head(), shown, endings)
    if (typeof ending !== "string") return this.refuse(`${shown} cannot be used: ${ending.why}.`)
    const taken = [...before, ...this.files].map(({ name }) => name)
    const name = uploadName(shown, ending, taken)
    this.#now = undefined
    file.keep(join(folder, name))
    this.files.push({ shown, name, bytes: file.bytes })
  }
}

const unkept = (cause: unknown): string =>
  `The files could not be kept (${cause instanceof Error ? cause.message : String(cause)}).`

/** Reads a form as a stream. If it is rejected, the caller must handle the rest. */
export const receive = (
  stream: Readable,
  headers: Readonly<Record<string, string | undefined>>,
  options: UploadOptions
): Promise<Uploaded> =>
  new Promise((resolve) => {
    const receiver = new Receiver(options)
    const finish = () => {
      if (receiver.refused !== undefined) {
        receiver.refuse(receiver.refused)
        for (const { name } of receiver.files) rmSync(join(options.folder, name), { force: true })
      }
      stream.removeAllListeners("data")
      if (receiver.refused !== undefined) return resolve({ refused: receiver.refused })
      Promise.all(receiver.files.map(({ name }) => settled(join(options.folder, name)))).then(
        () => resolve({ files: receiver.files }),
        (cause) => resolve({ refused: unkept(cause) })
      )
    }
    const parser = MultipartParser.make({
      headers: { "content-type": headers["content-type"] ?? "" },
      isFile: ({ filename }) => filename !== undefined,
      maxParts: MOST_FILES + 20,
      maxFieldSize: LARGEST_FIELD_BYTES,
      onField: receiver.onField,
      onFile: receiver.onFile,
      onError: () => receiver.refuse("The form could not be read; try again."),
      onDone: () => {
        receiver.done = true
      }
    })
    const attempt = (work: () => void) => {
      try {
        work()
      } catch (cause) {
        receiver.refuse(unkept(cause))
      }
      if (receiver.refused !== undefined) finish()
    }
    if (Number(headers["content-length"] ?? 0) > MOST_BYTES + 2 ** 20) {
      receiver.refuse(`All files together have more than ${MOST_BYTES / 2 ** 20} MB.`)
      return finish()
    }
    stream.on("data", (chunk: Uint8Array) => attempt(() => parser.write(chunk)))
    stream.on("end", () => {
      attempt(() => parser.end())
      if (!receiver.done && receiver.refused === undefined) receiver.refuse("The form ended too early; try again.")
      finish()
    })
    const cutOff = () => {
      receiver.refuse("The upload was cut off; try again.")
      finish()
    }
    stream.on("error", cutOff)
    stream.on("aborted", cutOff)
  })
