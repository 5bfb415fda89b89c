/** An assistant beside Daybook, with the public client of its protocol. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { atEnd } from "./AtEnd.ts"
import { KEY, program } from "./Cli.ts"

export type AssistantAnswer = Readonly<Record<string, unknown>>

/** Asks the tools of a server over the books in a folder. */
export const assistant = async (folder: string, more: Readonly<Record<string, string>> = {}) => {
  const client = new Client({ name: "test", version: "1" })
  const env = { ...process.env, SERVICE_KEY: KEY, ...more } as Record<string, string>
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program(), "mcp"], cwd: folder, env })
  )
  atEnd(() => client.close())
  const ask = async (name: string, args: AssistantAnswer = {}) => {
    const { content, isError, structuredContent } = await client.callTool({ name, arguments: args })
    const [{ text }] = content as [{ readonly text: string }]
    return { isError: isError === true, text, answer: structuredContent as AssistantAnswer }
  }
  return { client, ask }
}
