import { DomainError, ErrorCode, invalid, invalidField, unauthorized } from '../../platform/common/errors/errors.js';

/** Does work whose failures by field are answered in one text, as the contract has it for some routes. */
export async function inOneText<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DomainError && error.fields !== undefined ? invalid(wordsOf(error)) : error;
  }
}

/** Does work whose refusals (400 and 409) are answered at one field, as the contract has it for others. */
export async function atField<T>(field: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isRefusal(error) ? invalidField(field, wordsOf(error)) : error;
  }
}

/** The same for refusals that name no field by themselves. */
export async function atFieldUnlessNamed<T>(field: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isRefusal(error) && error.fields === undefined ? invalidField(field, error.message) : error;
  }
}

/** Does work whose refusals are answered with 401. */
export async function asUnauthorized<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isRefusal(error) ? unauthorized(error.message) : error;
  }
}

function isRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && (error.code === ErrorCode.Invalid || error.code === ErrorCode.Conflict);
}

function wordsOf({ fields, message }: DomainError): string {
  return fields === undefined ? message : Object.values(fields).flat().join(' ');
}
