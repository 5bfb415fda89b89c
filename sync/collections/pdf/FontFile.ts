/**
 * The font of the documents that are made here: DejaVu Sans 2.37, as its makers published it, with its licence beside it. A
 * file of its own, because the bundle carries the font as text in place of it.
 */
import { readFileSync } from "node:fs"

export const fontFile = (): Uint8Array => readFileSync(new URL("./DejaVuSans.ttf", import.meta.url))
