/**
 * What a thread does that reads large files beside the one that writes, see `sync/pull/ReadingThread.ts`. It reads nothing but
 * files, so that it takes little memory.
 */
import { files } from "../connectors/files/Files.ts"
import { outside } from "../sync/library/ServiceClient.ts"
import { readInThread } from "../sync/pull/ReadInThread.ts"

export const readFiles = (): Promise<void> => readInThread([files], outside)
