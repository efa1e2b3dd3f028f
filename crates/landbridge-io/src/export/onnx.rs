//! ONNX models of linear maps. The file is one protocol-buffers message; the few kinds that a map needs are written here.

use landbridge::apply::linear_form::LinearForm;

/// A message: fields one after the other.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
    fn number(mut self, field: u64, value: u64) -> Self {
        self.varint(field << 3);
        self.varint(value);
        self
    }
    fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }
    fn text(self, field: u64, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }
    fn part(self, field: u64, part: Message) -> Self {
        self.bytes(field, &part.0)
    }
    fn parts(self, field: u64, parts: Vec<Message>) -> Self {
        parts.into_iter().fold(self, |message, part| message.part(field, part))
    }
}

// Kinds of numbers (TensorProto.DataType) and of attributes.
const FLOAT: u64 = 1;
const INT64: u64 = 7;
const DOUBLE: u64 = 11;
const ATTRIBUTE_INT: u64 = 2;
/// ONNX 1.8: the first in which the axes of a sum are an input; every runtime of the last years has it.
const OPERATORS: u64 = 13;
const FORMAT: u64 = 7;

fn tensor(name: &str, kind: u64, shape: &[usize], raw: &[u8]) -> Message {
    let shaped = shape.iter().fold(Message::default(), |m, n| m.number(1, *n as u64));
    shaped.number(2, kind).text(8, name).bytes(9, raw)
}

fn doubles(name: &str, shape: &[usize], values: &[f64]) -> Message {
    tensor(name, DOUBLE, shape, &values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>())
}

/// A named value of n rows.
fn value(name: &str, width: usize) -> Message {
    let rows = Message::default().text(2, "rows");
    let columns = Message::default().number(1, width as u64);
    let shape = Message::default().part(1, rows).part(1, columns);
    let kind = Message::default().part(1, Message::default().number(1, FLOAT).part(2, shape));
    Message::default().text(1, name).part(2, kind)
}

/// The steps so far.
#[derive(Default)]
struct Graph {
    nodes: Vec<Message>,
    constants: Vec<Message>,
    /// The name of the last result.
    last: String,
}

impl Graph {
    /// Applies an operator to the given values, and names the result.
    fn node(&mut self, operator: &str, inputs: &[&str], attribute: Option<(&str, u64)>) -> String {
        let result = format!("{}_{}", operator.to_lowercase(), self.nodes.len());
        let mut node = inputs.iter().fold(Message::default(), |m, input| m.text(1, input)).text(2, &result).text(4, operator);
        if let Some((name, value)) = attribute {
            node = node.part(5, Message::default().text(1, name).number(3, value).number(20, ATTRIBUTE_INT));
        }
        self.nodes.push(node);
        result
    }
    /// Applies an operator to the last result and a constant.
    fn with(&mut self, operator: &str, name: &str, shape: &[usize], values: &[f64]) {
        self.constants.push(doubles(name, shape, values));
        let last = std::mem::take(&mut self.last);
        self.last = self.node(operator, &[&last, name], None);
    }
    /// To length 1; a zero row stays zero.
    fn unit(&mut self, name: &str) {
        let (axes, least) = (format!("{name}_axes"), format!("{name}_least"));
        self.constants.push(tensor(&axes, INT64, &[1], &1i64.to_le_bytes()));
        self.constants.push(doubles(&least, &[1], &[1e-150]));
        let last = std::mem::take(&mut self.last);
        let squares = self.node("Mul", &[&last, &last], None);
        let sum = self.node("ReduceSum", &[&squares, &axes], Some(("keepdims", 1)));
        let length = self.node("Sqrt", &[&sum], None);
        let divisor = self.node("Max", &[&length, &least], None);
        self.last = self.node("Div", &[&last, &divisor], None);
    }
    fn log(&mut self) {
        let last = std::mem::take(&mut self.last);
        self.constants.push(doubles("one", &[1], &[1.0]));
        let size = self.node("Abs", &[&last], None);
        let more = self.node("Add", &[&size, "one"], None);
        let log = self.node("Log", &[&more], None);
        let sign = self.node("Sign", &[&last], None);
        self.last = self.node("Mul", &[&log, &sign], None);
    }
}

/// The bytes of a model with input "x" and output "z", both single precision; it computes in double precision.
pub(super) fn model(form: &LinearForm) -> Vec<u8> {
    let mut graph = Graph::default();
    graph.last = graph.node("Cast", &["x"], Some(("to", DOUBLE)));
    let p = form.n_features;
    if form.log {
        graph.log();
    }
    if let Some(factors) = &form.factors {
        graph.with("Mul", "factors", &[p], factors);
    }
    if form.unit_before {
        graph.unit("before");
    }
    if let Some(mean) = &form.mean {
        graph.with("Sub", "mean", &[p], mean);
    }
    if form.unit_after {
        graph.unit("after");
    }
    if let Some(matrix) = &form.matrix {
        graph.with("MatMul", "matrix", &[matrix.nrows(), matrix.ncols()], matrix.as_slice());
    }
    if let Some(offset) = &form.offset {
        graph.with("Add", "offset", &[offset.len()], offset);
    }
    let cast = Message::default().text(1, "to").number(3, FLOAT).number(20, ATTRIBUTE_INT);
    let last = Message::default().text(1, &graph.last).text(2, "z").text(4, "Cast").part(5, cast);
    graph.nodes.push(last);
    let inside = Message::default()
        .parts(1, graph.nodes)
        .text(2, "map")
        .parts(5, graph.constants)
        .text(10, &form.formula())
        .part(11, value("x", p))
        .part(12, value("z", form.width()));
    let operators = Message::default().text(1, "").number(2, OPERATORS);
    Message::default().number(1, FORMAT).text(2, "landbridge").part(7, inside).part(8, operators).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_parts_are_those_of_the_wire_format() {
        assert_eq!(Message::default().number(1, 150).0, [0x08, 0x96, 0x01]);
        assert_eq!(Message::default().text(2, "testing").0, [&[0x12, 7][..], b"testing"].concat());
        let part = Message::default().number(1, 150);
        assert_eq!(Message::default().part(3, part).0, [0x1a, 3, 0x08, 0x96, 0x01]);
    }
}
