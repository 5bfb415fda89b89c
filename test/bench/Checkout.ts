/**
 * How much a buyer's browser loads for a checkout, compressed, against what was promised: the loader, the elements and
 * the words of one language. `gzip` at its usual level, as the sandbox sends it.
 */
import { build } from "esbuild"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { scripts } from "../../core/sandbox/sdk/Scripts.ts"
import { atMost, type Figure, shown } from "./Figure.ts"

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

const size = (...texts: ReadonlyArray<string>): number => texts.reduce((sum, text) => sum + gzipSync(text).length, 0)

/** What a page has of `daybook/checkout` when it asks for these. */
const loader = async (names: string): Promise<number> => {
  const entry = join(import.meta.dirname, "../../core/checkout/index.ts")
  const { outputFiles } = await build({
    stdin: { contents: `export ${names} from ${JSON.stringify(entry)}`, resolveDir: import.meta.dirname, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022"
  })
  return size(outputFiles[0]!.text)
}

export const figures = async (): Promise<ReadonlyArray<Figure>> => {
  const { frame, locales, sdk } = await scripts()
  const later = (name: string) => name.startsWith("CompanyPanel")
  const first = Object.entries(frame).flatMap(([name, text]) => (later(name) ? [] : [text]))
  const all = Object.values(frame)
  const words = Math.max(...Object.values(locales).map((text) => size(text)))
  const against = (ours: number, promised: number) => ({
    ours: kilobytes(ours),
    baseline: kilobytes(promised),
    ratio: ours / promised
  })
  return [
    atMost("checkout: the loader, gzip; 2 kB", 1, against(await loader("{ load }"), 2000)),
    atMost("checkout: the loader with components, gzip; 2 kB", 1, against(await loader("*"), 2000)),
    atMost("checkout: both elements and the frame, gzip; 15 kB", 1, against(size(sdk, ...first), 15_000)),
    shown("checkout: the same for an intent, gzip; 15 kB", against(size(sdk, ...all), 15_000)),
    shown("checkout: the words of one language, gzip; 15 kB", against(words, 15_000))
  ]
}
