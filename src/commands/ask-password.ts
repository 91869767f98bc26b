import { stdin } from 'node:process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UsageError } from '../kernel/usage-error.ts'

/** The password in this variable of the environment; without it, what a person types at the terminal. Throws UsageError if there is neither. */
export async function askPassword(email: string, variable: string): Promise<string> {
  const password = process.env[variable]
  if (password !== undefined && password !== '') return password
  if (!stdin.isTTY) throw new UsageError(`${variable} is not set`)
  // The result of a command may go to a file; the question does not.
  process.stderr.write(`Password of ${email}: `)
  const discarding = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: stdin, output: discarding, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
