/**
 * What a thread does that reads a source beside the one that writes, see `sync/pull/ReadingThread.ts`. It loads no connector but
 * that source's, so that it takes little memory.
 */
import * as ConnectorRegistry from "../sync/library/ConnectorRegistry.ts"
import { outside } from "../sync/library/ServiceClient.ts"
import { readInThread } from "../sync/pull/ReadInThread.ts"

export const readSource = (): Promise<void> =>
  readInThread(
    async (name, folder) =>
      (await ConnectorRegistry.load({ connections: [{ source: { connector: name } }] }, folder)).get(name) ??
      ConnectorRegistry.unknown(name),
    outside
  )
