import { StartError } from '../../kernel/start-error.ts'

const advices: Readonly<Record<string, string>> = {
  EACCES:
    'The user of the service must own what is in DATA_DIR, and a command that runs as root may change that: give it back with "chown -R".',
}

/** The system does not let this process read a file of the data directory, which exists. */
export function unreadableFile(path: string, cause: unknown): StartError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no code'
  return new StartError(`${path} cannot be read (${code}). ${advices[code] ?? 'Repair it, or restore it from a backup.'}`, { cause })
}
