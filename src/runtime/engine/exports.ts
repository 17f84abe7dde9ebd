/**
 * The functions of quickjs-wasi 3.7.0's module that this binding uses. Every `Box` is the address of a
 * heap-allocated engine value that its owner frees with `qjs_free_value`.
 */
export type Box = number;

export interface EngineExports {
  memory: WebAssembly.Memory;
  __stack_pointer: WebAssembly.Global;
  _initialize(): void;
  qjs_init(): number;
  qjs_eval(code: number, codeLength: number, fileName: number, flags: number): Box;
  qjs_call(fn: Box, self: Box, argc: number, argv: number): Box;
  qjs_new_string(text: number, length: number): Box;
  qjs_new_number(value: number): Box;
  qjs_new_uint8_array(data: number, length: number): Box;
  qjs_new_host_function(name: number, nameLength: number, argc: number): Box;
  qjs_get_undefined(): Box;
  qjs_get_true(): Box;
  qjs_get_false(): Box;
  qjs_is_exception(value: Box): number;
  qjs_is_uncatchable_error(value: Box): number;
  qjs_is_string(value: Box): number;
  qjs_is_proxy(value: Box): number;
  qjs_get_class_name(value: Box): Box;
  qjs_get_bool(value: Box): number;
  qjs_get_exception(): Box;
  qjs_get_float64(value: Box): number;
  qjs_get_string_len(value: Box, lengthOut: number): number;
  qjs_get_typed_array_buffer(value: Box, offsetOut: number, lengthOut: number, elementOut: number): Box;
  qjs_get_array_buffer(value: Box, lengthOut: number): number;
  qjs_free_cstring(text: number): void;
  qjs_free_value(value: Box): void;
  qjs_dup_value(value: Box): Box;
  qjs_promise_state(promise: Box): number;
  qjs_promise_result(promise: Box): Box;
  qjs_is_job_pending(): number;
  qjs_execute_pending_job(): number;
  qjs_run_gc(): void;
  qjs_set_memory_limit(bytes: number): void;
  qjs_set_max_stack_size(bytes: number): void;
  qjs_set_interrupt_handler(enable: number): void;
  qjs_set_promise_rejection_handler(enable: number): void;
  qjs_get_runtime_ptr(): number;
  qjs_get_context_ptr(): number;
  qjs_set_runtime_and_context(runtime: number, context: number): void;
  wasm_malloc(size: number): number;
  wasm_free(address: number): void;
}

/** Offsets from the context pointer in this build; `test/runtime/engine.test.ts` checks them. */
export const CONTEXT_TIME_ORIGIN = 272;
export const CONTEXT_RANDOM_STATE = 280;
