import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../../../src/kernel/errors.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import type { Figure } from '../stage/report.ts'
import { type Desk, openDesk, readNumbers, writeNumber } from './desk.ts'

const run = promisify(execFile)
const claim = 'Disk full'
const diskBytes = 512 * 1024

/** Fills a small disk of its own, writes on it, makes room and writes again. Needs the right to mount (Linux, root). */
export async function proveFullDisk(): Promise<Figure> {
  await using directory = await createTempDir()
  const disk = join(directory.path, 'disk')
  await mkdir(disk)
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', disk])
  } catch {
    return { claim, figure: 'not tried: a small disk cannot be mounted here (Linux and root are needed)', holds: true }
  }
  try {
    return await fillAndWrite(disk)
  } finally {
    await run('umount', [disk])
  }
}

async function fillAndWrite(disk: string): Promise<Figure> {
  await using desk = await openDesk(`files:${disk}`)
  const counts = { refused: 0, torn: 0, lost: 0, written: 0 }
  let last = (await readNumbers(desk)).left
  for (let round = 0; round < 20; round += 1) {
    const ballast = join(disk, 'ballast')
    // All that is free, less some pages: now and then the first bytes of a write still fit.
    await writeFile(ballast, Buffer.alloc((await freeBytes(disk)) - round * 1_024)).catch(() => undefined)
    for (let number = last + 1; number <= last + 3; number += 1) {
      if (await attempt(desk, number)) last = number
      else counts.refused += 1
      await look(desk, last, counts)
    }
    await rm(ballast, { force: true })
    if (await attempt(desk, last + 1)) last += 1
    else counts.lost += 1
    counts.written = last
    await look(desk, last, counts)
  }
  const figure = `${counts.refused} writes refused with STORE_UNAVAILABLE, ${counts.written} written: ${counts.torn} torn, ${counts.lost} lost`
  return { claim, figure, holds: counts.torn === 0 && counts.lost === 0 && counts.refused > 20 }
}

async function look(desk: Desk, last: number, counts: { torn: number; lost: number }): Promise<void> {
  try {
    const { left, isWhole } = await readNumbers(desk)
    if (!isWhole) counts.torn += 1
    else if (left !== last) counts.lost += 1
  } catch {
    counts.torn += 1
  }
}

async function attempt(desk: Desk, number: number): Promise<boolean> {
  try {
    await writeNumber(desk, 'left', number)
    return true
  } catch (error) {
    if (error instanceof AppError && error.reason === 'STORE_UNAVAILABLE') return false
    throw error
  }
}

async function freeBytes(disk: string): Promise<number> {
  const { stdout } = await run('df', ['--output=avail', '-B1', disk])
  return Number(stdout.split('\n')[1])
}
