import type { AppError } from '../../kernel/errors.ts'
import { acquireLease, type Lease, leaseMs, type LeaseOptions, readLease, withLease } from '../lease.ts'
import type { Ports } from '../ports.ts'
import { type Declaration, keyText } from './declaration.ts'

type Options = Omit<LeaseOptions, 'ttlMs'>
/** `lifetime`: how long it outlives a process that dies; the default is 15 s. */
type LeaseDeclaration<Key> = Omit<Declaration<Key>, 'about' | 'lifetime'> & { readonly lifetime?: number }

/** One kind of lease, one holder at a time for each key. */
export class LeaseOf<Key> {
  readonly declaration: Declaration<Key>

  constructor(declaration: LeaseDeclaration<Key>) {
    this.declaration = { lifetime: leaseMs, about: 'nothing', ...declaration }
  }

  /** As `acquireLease`: null if somebody else holds it. */
  acquire({ store }: Pick<Ports, 'store'>, key: Key, options: Options): Promise<Lease | null> {
    return acquireLease(store, keyText(this.declaration, key), { ...options, ttlMs: this.declaration.lifetime })
  }

  /** As `withLease`: runs the step while this process holds the lease. */
  run<T>(
    { store }: Pick<Ports, 'store'>,
    key: Key,
    options: Options & { readonly step: (lost: AbortSignal) => Promise<T>; readonly onBusy?: () => AppError },
  ): Promise<T> {
    return withLease(store, keyText(this.declaration, key), { ...options, ttlMs: this.declaration.lifetime })
  }

  /** The value of the lease that somebody holds now; null if nobody holds it. */
  holder({ store }: Pick<Ports, 'store'>, key: Key): Promise<string | null> {
    return readLease(store, keyText(this.declaration, key))
  }
}
