/**
 * Makes the `SourceError`s that stop the reading of files.
 */
import * as Connector from "../Connector.ts"

export const { misconfigured, unavailable, unreadable } = Connector.failing("files")

/** Converts whatever was thrown while a file was read. */
export const sourceError = (cause: unknown, name = "a file"): Connector.SourceError => {
  if (cause instanceof Connector.SourceError) return cause
  const { code, message } = cause as NodeJS.ErrnoException
  if (code === "EACCES" || code === "EPERM")
    return misconfigured(`${name} cannot be read (${code})`, "check its permissions")
  if (code === "ENOENT") return unavailable(`${name} disappeared while it was read; run again`)
  if (code === "EBUSY" || code === "EIO") return unavailable(`${name} gave no data (${code}); run again`)
  return unreadable(name, message)
}
