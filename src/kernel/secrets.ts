import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts (seals) and decrypts (opens) texts with AES-256-GCM. A sealed text is `v1.<iv>.<tag>.<cipher>` in base64url. */
export interface SecretBox {
  /** `context` names the text and its owner (a key name). `open` needs the same one. */
  seal(text: string, context: string): string
  /** Throws if the key or the context differs, or if the text was changed. */
  open(sealed: string, context: string): string
}

/** `key`: 32 bytes. */
export function createSecretBox(key: Uint8Array): SecretBox {
  const secret = createSecretKey(key)
  return {
    seal(text, context) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return ['v1', ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.')
    },
    open(sealed, context) {
      const [version, iv, tag, text] = sealed.split('.')
      if (version !== 'v1' || !iv || !tag || text === undefined) throw new Error('not a sealed text')
      const decipher = createDecipheriv('aes-256-gcm', secret, Buffer.from(iv, 'base64url'))
      decipher.setAAD(Buffer.from(context)).setAuthTag(Buffer.from(tag, 'base64url'))
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8')
    },
  }
}

/** A 32-byte key for one purpose, derived from a longer-lived secret. */
export function deriveKey(secret: string | Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
}
