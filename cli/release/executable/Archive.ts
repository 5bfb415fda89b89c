/** Files in one piece, for the single executable: how long their list is (4 bytes), the list as JSON, and their contents. */

/** The name of the piece in the executable. */
export const ASSET = "program"

/** The file that runs the script of `process.argv`: the executable's own code cannot import modules. */
export const START = "start.cjs"

export interface ArchivedFile {
  /** From the program's folder, with `/`. */
  readonly path: string
  readonly content: Buffer
}

const LENGTH_BYTES = 4

export const packed = (files: ReadonlyArray<ArchivedFile>): Buffer => {
  const list = Buffer.from(JSON.stringify(files.map(({ content, path }) => [path, content.length])))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(list.length)
  return Buffer.concat([length, list, ...files.map(({ content }) => content)])
}

export const unpacked = (archive: Buffer): ReadonlyArray<ArchivedFile> => {
  let at = LENGTH_BYTES + archive.readUInt32BE()
  const list = JSON.parse(archive.toString("utf8", LENGTH_BYTES, at)) as ReadonlyArray<readonly [string, number]>
  return list.map(([path, length]) => ({ path, content: archive.subarray(at, (at += length)) }))
}
