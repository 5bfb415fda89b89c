/**
 * What a thread begins with that reads large files beside the one that writes, see `sync/pull/ReadingThread.ts`. It reads
 * nothing but files, so that it takes little memory.
 */
import { files } from "../connectors/files/Files.ts"
import { outside } from "../sync/library/ServiceClient.ts"
import { readInThread } from "../sync/pull/ReadInThread.ts"

await readInThread([files], outside)
