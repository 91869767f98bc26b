import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

const contentSchema = z.looseObject({ value: z.string() })

/** The dead letters as they are stored, each a text with its value decoded. */
export function storedDeadLetters(dataDir: string): readonly string[] {
  const database = new DatabaseSync(join(dataDir, 'outbox.sqlite'), { readOnly: true })
  try {
    return database
      .prepare('SELECT * FROM dead_letter')
      .all()
      .map((row) => {
        const { value } = contentSchema.parse(JSON.parse(String(row['content'])))
        return `${JSON.stringify(row)} ${Buffer.from(value, 'base64').toString()}`
      })
  } finally {
    database.close()
  }
}
