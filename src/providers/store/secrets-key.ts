import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { DocumentStore } from '../../ports/documents.ts'
import type { Log } from '../../kernel/log.ts'
import { createSecretBox, deriveKey } from '../../kernel/secrets.ts'
import { StartError } from '../../kernel/start-error.ts'
import { type KeyFile, createKeyFile } from './key-file.ts'

export type SecretsKeyOptions = {
  readonly documents: DocumentStore
  /** SECRETS_KEY: 32 bytes in base64. If null, the key file in the data directory is used, and created if it is missing. */
  readonly secretsKey: string | null
  readonly dataDir: string
  readonly log: Log
}

/**
 * The operator's key encrypts a data key, and only the data key encrypts secrets. So a change of the operator's key rewrites one small
 * document; encrypted secrets and running instances are not affected. More than one entry means that a key change is in progress.
 */
const keyringSchema = z.strictObject({ wrapped: z.array(z.string()).min(1) })
const keyringName = 'keyring'
const place = 'keyring'

/** The 32 bytes from which the key of each purpose is derived. If the operator's key is a different one, throws an error that says what to do. */
export async function openSecretsKey({ documents, secretsKey, dataDir, log }: SecretsKeyOptions): Promise<Uint8Array> {
  const keyFile = createKeyFile(dataDir, log)
  const text = await readKeyringText(documents)
  if (text !== null) return unwrap({ text, key: await givenKey(secretsKey, keyFile), secretsKey, keyFile })
  const dataKey = randomBytes(32)
  const wrapping = (await givenKey(secretsKey, keyFile)) ?? (await makeKeyFile(keyFile, log))
  const made = await documents.replace(keyringName, { expected: null, text: printKeyring([wrap(dataKey, wrapping)]) })
  return made ? dataKey : await openSecretsKey({ documents, secretsKey, dataDir, log })
}

/**
 * Changes the operator's key to `newSecretsKey` or, if null, to a new key file, and returns where the key is now. If it is killed at any
 * point, it can be run again, with the same keys. Needs the current key.
 */
export async function rotateSecretsKey(options: SecretsKeyOptions & { readonly newSecretsKey: string | null }): Promise<string> {
  const { documents, dataDir, log, newSecretsKey } = options
  const keyFile = createKeyFile(dataDir, log)
  const before = await readKeyringText(documents)
  if (before === null) throw new StartError('There is nothing to rotate here: check DATA_DIR or REDIS_URL')
  const newKey = newSecretsKey === null ? randomBytes(32) : Buffer.from(newSecretsKey, 'base64')
  // A run that was killed may have changed the key already: then only the new one opens it.
  const dataKey = opened(before, newKey) ?? (await openSecretsKey(options))
  const after = wrap(dataKey, newKey)
  if (newSecretsKey === null) {
    const both = printKeyring([...readKeyring(before), after])
    await replaceKeyring(documents, before, both)
    await keyFile.write(newKey)
    await replaceKeyring(documents, both, printKeyring([after]))
    return keyFile.path
  }
  await replaceKeyring(documents, before, printKeyring([after]))
  await keyFile.remove()
  return 'SECRETS_KEY'
}

/** Null if there is no keyring. */
async function readKeyringText(documents: DocumentStore): Promise<string | null> {
  try {
    return await documents.read(keyringName)
  } catch (cause) {
    // Of a file, it says what to do.
    if (cause instanceof Error && cause.cause instanceof StartError) throw cause.cause
    const found = `The start needs ${documents.locate(keyringName)}, which cannot be read: Redis does not answer.`
    throw new StartError(`${found} The log names its address; npm run diagnose says more.`, { cause })
  }
}

async function replaceKeyring(documents: DocumentStore, expected: string | null, text: string): Promise<void> {
  if (!(await documents.replace(keyringName, { expected, text })))
    throw new StartError('Somebody else is changing the secrets key: try again')
}

async function givenKey(secretsKey: string | null, keyFile: KeyFile): Promise<Uint8Array | null> {
  return secretsKey === null ? await keyFile.read() : Buffer.from(secretsKey, 'base64')
}

async function makeKeyFile(keyFile: KeyFile, log: Log): Promise<Uint8Array> {
  const key = randomBytes(32)
  await keyFile.write(key)
  const advice = 'Store a copy elsewhere, or set SECRETS_KEY, because stored secrets are lost without it'
  log.warn({ file: keyFile.path, advice }, 'secrets-key.created')
  return key
}

type Wrapped = { readonly text: string; readonly key: Uint8Array | null; readonly secretsKey: string | null; readonly keyFile: KeyFile }

function unwrap({ text, key, secretsKey, keyFile }: Wrapped): Uint8Array {
  if (key === null) {
    throw new StartError(`The secrets key is missing: bring ${keyFile.path} back from a copy, or set SECRETS_KEY where that was used.`)
  }
  const dataKey = opened(text, key)
  if (dataKey !== null) return dataKey
  const source = secretsKey === null ? `The key in ${keyFile.path}` : 'SECRETS_KEY'
  throw new StartError(
    `${source} is not the key with which the stored secrets are sealed. Set the former one; to change it, run "npm run rotate-secrets-key".`,
  )
}

/** The data key; null if this is not the key with which it is wrapped. */
function opened(text: string, key: Uint8Array): Uint8Array | null {
  const box = createSecretBox(deriveKey(key, place))
  for (const wrapped of readKeyring(text)) {
    try {
      return Buffer.from(box.open(wrapped, place), 'base64')
    } catch {
      continue
    }
  }
  return null
}

function readKeyring(text: string): readonly string[] {
  return keyringSchema.parse(JSON.parse(text)).wrapped
}

function printKeyring(wrapped: readonly string[]): string {
  return `${JSON.stringify({ wrapped })}\n`
}

function wrap(dataKey: Uint8Array, wrapping: Uint8Array): string {
  return createSecretBox(deriveKey(wrapping, place)).seal(Buffer.from(dataKey).toString('base64'), place)
}
