export async function doctorCommand(_options: { readonly json?: boolean }): Promise<number> { return 0 }
