/** How Zstandard compresses here. What commands do not need is not loaded with them, so Node is asked when it is used. */
import zlib from "node:zlib"

/** The fastest level: pages, and the records of one, are similar, and other levels do not make them smaller. */
export const fastest = () => ({ params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } })
