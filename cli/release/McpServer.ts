/** Describes `daybook mcp` to registries of the Model Context Protocol: `server.json`, in the format of 2025-12-11. */

export interface Package {
  readonly name: string
  readonly version: string
  readonly description: string
  /** The server's name in a registry, in a namespace that the owner of the package controls. */
  readonly mcpName?: string
}

/** In a namespace that belongs to nobody: a registry refuses it until the owner has chosen one. */
const UNNAMED = "com.example/daybook"

export const mcpServer = ({ description, mcpName = UNNAMED, name, version }: Package) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: mcpName,
  title: "Daybook",
  description,
  version,
  packages: [
    {
      registryType: "npm",
      identifier: name,
      version,
      runtimeHint: "npx",
      transport: { type: "stdio" },
      packageArguments: [
        { type: "positional", value: "mcp" },
        {
          type: "named",
          name: "--config",
          description: "The configuration; default: daybook.config.ts or .json in the working folder",
          format: "filepath"
        },
        {
          type: "named",
          name: "--state",
          description: "The state file, which is only read; default: daybook.db in the working folder",
          format: "filepath"
        }
      ]
    }
  ]
})
