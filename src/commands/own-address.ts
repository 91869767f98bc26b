import { existsSync } from 'node:fs'

/** The address of `npm start` on this machine. PORT comes from the environment or from `.env`, as in the service itself. */
export function ownAddress(): string {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return `http://127.0.0.1:${process.env['PORT'] || 4100}`
}
