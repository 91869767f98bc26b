import { existsSync } from 'node:fs'

/** Where `npm start` listens on this machine: at the PORT of the environment or of `.env`, as the service itself reads them. */
export function ownAddress(): string {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return `http://127.0.0.1:${process.env['PORT'] || 4100}`
}
