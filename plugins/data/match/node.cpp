#include <algorithm>
#include <utility>

#include "match/test.hpp"

namespace gantry::data::match {
namespace {

class FieldNode : public Node {
 public:
  FieldNode(std::string_view path, TestPtr test) : path_(path), test_(std::move(test)) {}
  bool matches(const Value& document, Context& context) const override {
    return test_->passes(document, path_, context);
  }
  void add_paths(std::set<std::string>& paths) const override { paths.insert(path_.read_path()); }

 private:
  Path path_;
  TestPtr test_;
};

class GroupNode : public Node {
 public:
  explicit GroupNode(std::vector<NodePtr> nodes) : nodes_(std::move(nodes)) {}
  void add_paths(std::set<std::string>& paths) const override {
    for (const NodePtr& node : nodes_) node->add_paths(paths);
  }

 protected:
  const std::vector<NodePtr>& nodes() const { return nodes_; }

 private:
  std::vector<NodePtr> nodes_;
};

class AndNode : public GroupNode {
 public:
  using GroupNode::GroupNode;
  bool matches(const Value& document, Context& context) const override {
    return std::all_of(nodes().begin(), nodes().end(),
                       [&](const NodePtr& node) { return node->matches(document, context); });
  }
};

class OrNode : public GroupNode {
 public:
  using GroupNode::GroupNode;
  bool matches(const Value& document, Context& context) const override {
    return std::any_of(nodes().begin(), nodes().end(),
                       [&](const NodePtr& node) { return node->matches(document, context); });
  }
};

class NotNode : public Node {
 public:
  explicit NotNode(NodePtr node) : node_(std::move(node)) {}
  bool matches(const Value& document, Context& context) const override {
    return !node_->matches(document, context);
  }
  void add_paths(std::set<std::string>& paths) const override { node_->add_paths(paths); }

 private:
  NodePtr node_;
};

class ConstantNode : public Node {
 public:
  explicit ConstantNode(bool answer) : answer_(answer) {}
  bool matches(const Value&, Context&) const override { return answer_; }
  void add_paths(std::set<std::string>&) const override {}

 private:
  bool answer_;
};

class ExpressionNode : public Node {
 public:
  explicit ExpressionNode(expr::ExpressionPtr expression) : expression_(std::move(expression)) {}
  bool matches(const Value&, Context& context) const override {
    return expression_->evaluate(context).is_true();
  }
  void add_paths(std::set<std::string>& paths) const override { expression_->add_paths(paths); }

 private:
  expr::ExpressionPtr expression_;
};

}  // namespace

NodePtr field_node(std::string_view path, TestPtr test) {
  return std::make_unique<FieldNode>(path, std::move(test));
}

NodePtr and_node(std::vector<NodePtr> nodes) {
  if (nodes.size() == 1) return std::move(nodes[0]);
  return std::make_unique<AndNode>(std::move(nodes));
}

NodePtr or_node(std::vector<NodePtr> nodes) {
  if (nodes.size() == 1) return std::move(nodes[0]);
  return std::make_unique<OrNode>(std::move(nodes));
}

NodePtr not_node(NodePtr node) { return std::make_unique<NotNode>(std::move(node)); }

NodePtr constant_node(bool answer) { return std::make_unique<ConstantNode>(answer); }

NodePtr expression_node(expr::ExpressionPtr expression) {
  return std::make_unique<ExpressionNode>(std::move(expression));
}

}  // namespace gantry::data::match
