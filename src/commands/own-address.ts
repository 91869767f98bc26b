import { existsSync } from 'node:fs'

/** The address of `npm start` on this machine. HOST and PORT come from the environment or from `.env`, as in the service itself. */
export function ownAddress(): string {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const host = process.env['HOST'] || '127.0.0.1'
  const reached = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${process.env['PORT'] || 4100}`
}
