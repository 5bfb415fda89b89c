/**
 * Writes a file atomically: under another name beside it, flushed to disk, then renamed.
 *
 * An earlier file of that name stays as it is until then, and the new one keeps its permissions and its symbolic link.
 */
import { constants } from "node:fs"
import { access, type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises"
import { resolve } from "node:path"
import { partialOf } from "../../core/TemporaryFolder.ts"
import { OWN } from "../state/OwnFile.ts"

export class OutputFile {
  readonly path: string
  readonly #partial: string
  readonly #handle: FileHandle
  #position = 0
  #open = true

  private constructor(path: string, partial: string, handle: FileHandle) {
    this.path = path
    this.#partial = partial
    this.#handle = handle
  }

  static readonly create = async (file: string): Promise<OutputFile> => {
    const path = await realpath(resolve(file)).catch((cause) => {
      if (cause.code === "ENOENT") return resolve(file)
      throw cause
    })
    const earlier = await stat(path).catch((cause) => {
      if (cause.code === "ENOENT") return undefined
      throw cause
    })
    if (earlier?.isDirectory()) throw Object.assign(new Error("is a folder"), { code: "EISDIR" })
    if (earlier !== undefined) await access(path, constants.W_OK)
    const partial = partialOf(path)
    return new OutputFile(path, partial, await open(partial, "w", (earlier?.mode ?? OWN) & 0o777))
  }

  /** The number of bytes written so far, which is the position of the next ones. */
  get position(): number {
    return this.#position
  }

  readonly append = async (bytes: Uint8Array): Promise<void> => {
    await this.overwrite(bytes, this.#position)
    this.#position += bytes.length
  }

  /** Overwrites earlier bytes. */
  readonly overwrite = async (bytes: Uint8Array, position: number): Promise<void> => {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done, position + done)
      done += bytesWritten
    }
  }

  /** Flushes it to disk; only `commit` is left to do then. */
  readonly close = async (): Promise<void> => {
    await this.#handle.sync()
    this.#open = false
    await this.#handle.close()
  }

  readonly commit = (): Promise<void> => rename(this.#partial, this.path)

  /** Removes the unfinished file. Does nothing after `commit`. */
  readonly discard = async (): Promise<void> => {
    if (this.#open) {
      this.#open = false
      await this.#handle.close().catch(() => undefined)
    }
    await rm(this.#partial, { force: true }).catch(() => undefined)
  }
}
